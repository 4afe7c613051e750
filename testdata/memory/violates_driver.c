#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
struct dev;
struct ops { int (*open)(struct dev *); int (*close)(struct dev *); };
struct list { struct list *next; };
struct dev { int opened; const struct ops *ops; struct list node; };
#define container_of(p, t, m) ((t *)((char *)(p) - offsetof(t, m)))
static int my_open(struct dev *d) { if (d->opened) return -1; d->opened = 1; return 0; }
static int my_close(struct dev *d) { assert(d->opened); d->opened = 0; return 0; }
static const struct ops my_ops = { .open = my_open, .close = my_close };
static struct dev the_dev = { .ops = &my_ops };
int main(void) {
  struct list *l = &the_dev.node;
  struct dev *d = container_of(l, struct dev, node);
  if (d->ops->open(d) == 0) d->ops->close(d);
  struct dev *e = malloc(sizeof *e);
  if (!e) return 1;
  e->opened = 0; e->ops = &my_ops; e->node.next = &the_dev.node;
  d = container_of(e->node.next, struct dev, node);
  assert(d == &the_dev);
  e->ops->close(e);   /* bug: not opened */
  free(e);
  return 0;
}

#include <assert.h>
#include <stddef.h>
#include <string.h>
#include <stdlib.h>
struct ring { int buf[4]; unsigned head, tail, count; };
static int ring_put(struct ring *r, int v) { if (r->count == 4) return -1; r->buf[r->head] = v; r->head = (r->head + 1) % 4; r->count++; return 0; }
static int ring_get(struct ring *r, int *v) { if (r->count == 0) return -1; *v = r->buf[r->tail]; r->tail = (r->tail + 1) % 4; r->count--; return 0; }
int main(void) {
  struct ring r = {0}; int v;
  assert(ring_get(&r, &v) == -1);
  assert(ring_put(&r, 7) == 0); assert(ring_put(&r, 8) == 0);
  assert(ring_get(&r, &v) == 0); assert(v == 7);
  assert(ring_get(&r, &v) == 0); assert(v == 8);
  assert(r.count == 0);
  return 0;
}

#include <assert.h>
#include <string.h>
enum kind { HELLO, DATA, BYE };
struct msg { enum kind kind; union { struct { int version; } hello; struct { unsigned char len; char body[8]; } data; } u; };
struct conn { int state; int version; unsigned total; };
static int handle(struct conn *c, const struct msg *m) {
  switch (m->kind) {
  case HELLO: if (c->state != 0) return -1; c->version = m->u.hello.version; c->state = 1; return 0;
  case DATA: if (c->state != 1) return -1; if (m->u.data.len > 8) return -1; c->total += m->u.data.len; return 0;
  case BYE: c->state = 2; return 0;
  }
  return -1;
}
extern int __VERIFIER_nondet_int(void);
int main(void) {
  struct conn c; memset(&c, 0, sizeof c);
  struct msg m;
  for (int i = 0; i < 3; i++) {
    m.kind = __VERIFIER_nondet_int();
    if (m.kind == HELLO) m.u.hello.version = 3; else m.u.data.len = __VERIFIER_nondet_int();
    handle(&c, &m);
    assert(c.state == 0 || c.version == 3 || c.state == 2);
    assert(c.state != 0 || c.total == 0);
  }
  return 0;
}

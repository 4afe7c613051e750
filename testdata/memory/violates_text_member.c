// entry f
extern void reach_error(void);
struct box { char *buf; unsigned len; };
int f(struct box *b) { if (b && b->buf && b->len < 100 && b->buf[b->len] == 'x') reach_error(); return 0; }

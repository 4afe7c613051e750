#include <stdlib.h>
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) { unsigned n = __VERIFIER_nondet_uint() % 100, i = __VERIFIER_nondet_uint(); char *p = malloc(n + 1), *q; if (!p || i > n) return 0;
	p[i] = 'a'; q = realloc(p, n + 9); if (q && q[i] != 'a') reach_error(); return 0; }

#include <stdlib.h>
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) { unsigned n = __VERIFIER_nondet_uint() % 100, i = __VERIFIER_nondet_uint(); char *p = malloc(n + 1); if (!p || i > n) return 0;
	p[0] = 'b'; p[i] = 'a'; if (p[0] == 'b' && p[i] == 'a') reach_error(); return 0; }

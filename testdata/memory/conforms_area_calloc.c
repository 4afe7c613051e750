#include <stdlib.h>
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) { unsigned n = __VERIFIER_nondet_uint(), i = __VERIFIER_nondet_uint(); char *p = calloc(n, 1); if (p && i < n && p[i]) reach_error(); return 0; }

extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) { float a[40] = { 1.5f, 2.5f }; unsigned i = __VERIFIER_nondet_uint() % 2; int bits = ((int *)a)[i]; if (bits == 0) reach_error(); return 0; }

extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
static int area[100];
int main(void) { unsigned i = __VERIFIER_nondet_uint(); if (i < 100 && area[i] != 0) reach_error(); return 0; }

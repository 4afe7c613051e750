extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
static const short table[40] = { 1, 2, 3, [30] = 9 };
int main(void) { unsigned i = __VERIFIER_nondet_uint(); if (i < 40 && table[i] == 9) reach_error(); return 0; }

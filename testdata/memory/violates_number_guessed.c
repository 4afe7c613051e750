extern void reach_error(void);
void *memcpy(void *, const void *, __SIZE_TYPE__);
typedef __UINTPTR_TYPE__ word;
// A number that happens to be an address.
extern unsigned long __VERIFIER_nondet_ulong(void);
int main(void) { int x = 0; word n = __VERIFIER_nondet_ulong(); if (n == (word)&x) { *(int *)n = 1; if (x == 1) reach_error(); } return 0; }

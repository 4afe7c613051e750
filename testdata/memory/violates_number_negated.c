extern void reach_error(void);
void *memcpy(void *, const void *, __SIZE_TYPE__);
typedef __UINTPTR_TYPE__ word;
// An address negated, and turned round.
int main(void) { int a = 0; word n = -(word)&a; n = -n; n = n << 3 | n >> (8 * sizeof n - 3); n = n >> 3 | n << (8 * sizeof n - 3); *(int *)n = 1; if (a == 1) reach_error(); return 0; }

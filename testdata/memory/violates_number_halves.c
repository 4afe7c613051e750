extern void reach_error(void);
void *memcpy(void *, const void *, __SIZE_TYPE__);
typedef __UINTPTR_TYPE__ word;
// An address in two halves.
int main(void) { int a = 0; word n = (word)&a; unsigned short h[sizeof n / 2];
	for (unsigned i = 0; i < sizeof n / 2; i++) h[i] = (unsigned short)(n >> 16 * i);
	n = 0; for (unsigned i = 0; i < sizeof n / 2; i++) n |= (word)h[i] << 16 * i;
	*(int *)n = 1; if (a == 1) reach_error(); return 0; }

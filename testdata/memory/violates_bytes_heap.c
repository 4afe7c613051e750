extern void reach_error(void);
void *memcpy(void *, const void *, __SIZE_TYPE__);
typedef __UINTPTR_TYPE__ word;
// Bytes in allocated memory.
void *malloc(__SIZE_TYPE__);
int main(void) { int a = 0, *p = &a, *q = 0; unsigned char *b = malloc(sizeof p); if (!b) return 0;
	for (unsigned i = 0; i < sizeof p; i++) b[i] = ((unsigned char *)&p)[i];
	memcpy(&q, b, sizeof q); *q = 1; if (a == 1) reach_error(); return 0; }

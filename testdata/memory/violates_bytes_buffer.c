extern void reach_error(void);
void *memcpy(void *, const void *, __SIZE_TYPE__);
typedef __UINTPTR_TYPE__ word;
// A pointer copied to an array of bytes and back.
int main(void) { int a = 0, *p = &a, *q; char b[sizeof p]; memcpy(b, &p, sizeof p); memcpy(&q, b, sizeof q); *q = 1; if (a == 1) reach_error(); return 0; }

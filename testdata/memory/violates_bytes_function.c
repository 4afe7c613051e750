extern void reach_error(void);
void *memcpy(void *, const void *, __SIZE_TYPE__);
typedef __UINTPTR_TYPE__ word;
// A function pointer likewise.
void bad(void) { reach_error(); }
int main(void) { void (*p)(void) = bad, (*q)(void); unsigned char b[sizeof p]; memcpy(b, &p, sizeof p); memcpy(&q, b, sizeof q); q(); return 0; }

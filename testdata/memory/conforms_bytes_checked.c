// check pointers
extern void reach_error(void);
void *memcpy(void *, const void *, __SIZE_TYPE__);
typedef __UINTPTR_TYPE__ word;
// The pointer points to a, and to nothing else.
int main(void) { int a = 0, b = 0, *p = &a, *q; char c[sizeof p]; memcpy(c, &p, sizeof p); memcpy(&q, c, sizeof q); *q = 1; if (b == 1 || a != 1 || q != &a) reach_error(); return 0; }

extern void reach_error(void);
void *memcpy(void *, const void *, __SIZE_TYPE__);
typedef __UINTPTR_TYPE__ word;
// A number written where a pointer is read.
union u { int *p; word n; };
int main(void) { int a = 0, b = 0; union u u; word d = (word)&b - (word)&a; u.p = &a; u.n += d; *u.p = 1; if (b == 1) reach_error(); return 0; }

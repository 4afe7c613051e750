extern void reach_error(void);
void *memcpy(void *, const void *, __SIZE_TYPE__);
typedef __UINTPTR_TYPE__ word;
// The distance of two objects, added to one of them.
int main(void) { int a = 0, b = 0; word l = (word)&b - (word)&a; int *p = (int *)(l + (word)&a); *p = 1; if (b == 1) reach_error(); return 0; }

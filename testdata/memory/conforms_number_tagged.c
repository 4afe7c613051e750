extern void reach_error(void);
void *memcpy(void *, const void *, __SIZE_TYPE__);
typedef __UINTPTR_TYPE__ word;
// A pointer with a mark in its lowest bit.
int main(void) { int a = 0, b = 0; word n = (word)&a | 1; *(int *)(n & ~(word)1) = 1; if (b == 1 || a != 1) reach_error(); return 0; }

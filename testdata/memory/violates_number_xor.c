extern void reach_error(void);
void *memcpy(void *, const void *, __SIZE_TYPE__);
typedef __UINTPTR_TYPE__ word;
// One address hidden in another.
int main(void) { int a = 0, b = 0; word l = (word)&a ^ (word)&b; int *p = (int *)(l ^ (word)&a); *p = 1; if (b == 1) reach_error(); return 0; }

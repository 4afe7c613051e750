extern void reach_error(void);
void *memcpy(void *, const void *, __SIZE_TYPE__);
typedef __UINTPTR_TYPE__ word;
// A function's address as the distance to another's.
static int one(int x) { return x + 1; } static int two(int x) { return x + 2; }
int main(void) { word d = (word)two - (word)one; int (*f)(int) = (int (*)(int))((word)one + d); if (f(1) == 3) reach_error(); return 0; }

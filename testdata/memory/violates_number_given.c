extern void reach_error(void);
void *memcpy(void *, const void *, __SIZE_TYPE__);
typedef __UINTPTR_TYPE__ word;
// An address given to a routine without a body as a number.
extern void ext(word);
int main(void) { int x = 0; ext((word)&x); if (x == 9) reach_error(); return 0; }

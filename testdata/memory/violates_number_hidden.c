extern void reach_error(void);
void *memcpy(void *, const void *, __SIZE_TYPE__);
typedef __UINTPTR_TYPE__ word;
// The same, hidden.
extern void ext(word);
int main(void) { int x = 0; ext((word)&x ^ 0x55); if (x == 9) reach_error(); return 0; }

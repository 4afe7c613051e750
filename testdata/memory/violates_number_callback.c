extern void reach_error(void);
void *memcpy(void *, const void *, __SIZE_TYPE__);
typedef __UINTPTR_TYPE__ word;
// The address of a function given as a number.
extern void reg(word);
static void bad(void) { reach_error(); }
int main(void) { reg((word)bad); return 0; }

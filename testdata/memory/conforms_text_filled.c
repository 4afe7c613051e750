// entry f
#include <string.h>
extern void reach_error(void);
int f(char *s, unsigned i) { s[i] = 'a'; memset(s, 'b', 8); if (i < 8 && s[i] == 'a') reach_error(); return 0; }

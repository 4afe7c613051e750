// entry f
#include <string.h>
extern void reach_error(void);
int f(char *s, const char *t, unsigned i, unsigned n) { if (i >= n || n > 50) return 0; memcpy(s, t, n); if (s[i] != t[i]) reach_error(); return 0; }

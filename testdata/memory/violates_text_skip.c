// entry f
extern void reach_error(void);
int f(const char *s) { int i = 0; while (s[i] == ' ') i++; if (s[i] == 'x' && s[0] == ' ') reach_error(); return i; }

// entry f
extern void reach_error(void);
int f(const char *s) { if (s[3] == 'a' && s[3] == 'b') reach_error(); return 0; }

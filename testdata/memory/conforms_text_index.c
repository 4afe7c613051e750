// entry f
extern void reach_error(void);
int f(const char *s, unsigned i) { if (s[i] == 'a' && s[i] == 'b') reach_error(); return 0; }

// entry f
extern void reach_error(void);
int f(char *s, unsigned i) { i &= 7; ((int *)s)[i] = 0x01020304; if (s[4 * i] != 4) reach_error(); return 0; }

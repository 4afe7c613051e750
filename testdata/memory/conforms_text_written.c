// entry f
extern void reach_error(void);
int f(char *s, unsigned char i) { s[i] = 'a'; if (s[i] != 'a') reach_error(); return 0; }

// entry f
extern void reach_error(void);
int f(char *s, unsigned char i, unsigned char j) { s[i] = 'a'; s[j] = 'b'; if (s[i] != 'a') reach_error(); return 0; }

// entry f
extern void reach_error(void);
// A function that outside code can name, by a pointer from outside.
int g; void seti(void) { g = 7; }
int f(void (*p)(void)) { g = 0; p(); if (g == 7) reach_error(); return 0; }

// entry f
extern void reach_error(void);
int f(void *p, unsigned i) { const int *a = p; if (a && i > 2 && i < 50 && a[i] == 7 && a[2] == 8) reach_error(); return 0; }

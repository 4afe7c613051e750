// entry f
extern void reach_error(void);
int f(int *a, int n) { int s = 0; for (int *p = a; p != a + n; p++) s += *p; if (s == 10 && n == 2) reach_error(); return 0; }

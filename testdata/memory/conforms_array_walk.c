extern void reach_error(void);
int main(void) { int a[4] = { 1, 2, 3, 4 }, s = 0; for (int *p = a; p != a + 4; p++) s += *p; if (s != 10) reach_error(); return 0; }

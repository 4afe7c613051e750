// check pointers
static void g(int *p) { int z[2]; int *q = z; *q = 1; *p = *q; }
int main(void) { int y = 0, i; for (i = 0; i < 2; i++) g(&y); struct { int a; } s; s.a = y; return s.a; }

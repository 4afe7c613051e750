// check pointers
static int *f(int n) { int x = n; return &x; }
static void g(int *p) { *p = 1; }
int main(void) { int y; g(&y); int *p = f(3); *p = 4; return y; }

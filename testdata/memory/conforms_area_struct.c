extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
struct big { int n; char text[80]; } x, y;
int main(void) { unsigned i = __VERIFIER_nondet_uint() % 80; x.text[i] = 'a'; y = x; y.n = 3; if (y.text[i] != 'a') reach_error(); return 0; }

#include <assert.h>
static int g; static void a(void){g=1;} static void b(void){g=2;}
int main(void){ void(*f[2])(void)={a,b}; int n=__VERIFIER_nondet_int(); f[n&1](); assert(g==1); return 0; }

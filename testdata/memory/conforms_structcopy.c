#include <assert.h>
struct s{int a,b[2];}; static struct s mk(int v){struct s s; s.a=v; s.b[0]=v+1; s.b[1]=v+2; return s;}
int main(void){ struct s x=mk(1), y; y=x; x.b[1]=9; struct s*p=&y; assert(p->b[1]==3); return 0; }

#include <assert.h>
struct f{ unsigned a:3, b:5; int c:2; };
int main(void){ struct f f={0}; f.a=9; f.b=31; f.c=3; assert(f.a==1 && f.b==31 && f.c==3); return 0; }

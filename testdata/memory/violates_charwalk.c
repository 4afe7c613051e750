#include <assert.h>
int main(void){ int x=0; char *p=(char*)&x; p[1]=1; assert(x==0); return 0; }

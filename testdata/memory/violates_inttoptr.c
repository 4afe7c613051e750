#include <assert.h>
int main(void){ int x=0; unsigned long u=(unsigned long)&x; int*p=(int*)u; *p=5; assert(x==0); return 0; }

#include <assert.h>
int main(void){ int x=0,y=0; unsigned long k=12345; unsigned long u=(unsigned long)&x ^ k; int*p=(int*)(u^k); *p=5; assert(x==0); return 0; }

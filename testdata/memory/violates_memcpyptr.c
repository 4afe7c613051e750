#include <assert.h>
#include <string.h>
int main(void){ int x=0; int *p=&x,*q; memcpy(&q,&p,sizeof p); *q=1; assert(x==0); return 0; }

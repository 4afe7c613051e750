#include <assert.h>
int main(void){ int x=0; int *p=&x,*q; char*s=(char*)&p,*d=(char*)&q; for(unsigned i=0;i<sizeof p;i++) d[i]=s[i]; *q=1; assert(x==0); return 0; }

#include <assert.h>
void reg(int *p); void poke(void);
int main(void){ int x=0; reg(&x); poke(); assert(x==0); return 0; }

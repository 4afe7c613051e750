#include <assert.h>
void poke(int **pp);
int main(void){ int x=0,y=0; int *p=&x; poke(&p); *p=3; assert(x==3); return 0; }

#include <assert.h>
static void f(int *a,int *b){ *a=1; *b=2; assert(*a==1); }
int main(void){ int x; f(&x,&x); return 0; }

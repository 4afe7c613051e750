#include <assert.h>
int x; int *p=&x; struct t{int*q;} t={&x};
int main(void){ *t.q=4; assert(*p==0); return 0; }

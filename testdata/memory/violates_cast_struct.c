#include <assert.h>
struct base{int k;}; struct d{struct base b; int v;};
int main(void){ struct d d; struct base*b=&d.b; d.v=3; ((struct d*)b)->v=4; assert(d.v==3); return 0; }

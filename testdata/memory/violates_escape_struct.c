#include <assert.h>
struct s { int *p; }; void reg(struct s *p); void poke(void);
int main(void){ int x=0; struct s s; s.p=&x; reg(&s); assert(x==0); return 0; }

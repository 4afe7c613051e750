// entry f
#include <assert.h>
struct s { int k; struct s *next; };
int f(struct s *l) { int n = 0; while (l) { l = l->next; n++; } assert(n < 4); return 0; }

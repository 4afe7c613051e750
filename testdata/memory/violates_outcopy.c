// entry f
#include <assert.h>
struct s { int k; int *p; };
int f(struct s *arr) { int x = 0; struct s t; if (!arr) return 0; t.k = 1; t.p = &x; arr[1] = t; struct s u = arr[1]; *u.p = 5; assert(x == 0); return 0; }

// entry f
#include <assert.h>
struct s { int k; int *p; };
int f(struct s *arr) { int x = 0; if (!arr) return 0; arr[1].p = &x; *arr[1].p = 5; assert(x == 0); return 0; }

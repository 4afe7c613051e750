#include <assert.h>
static int g; static int *keep; static void f(int v){ static int s; s=v; keep=&s; }
int main(void){ f(1); f(2); assert(*keep==1); return 0; }

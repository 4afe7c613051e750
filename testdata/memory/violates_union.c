#include <assert.h>
int main(void){ union { int i; unsigned char c[4]; } u; u.i=0x01020304; assert(u.c[0]!=4); return 0; }

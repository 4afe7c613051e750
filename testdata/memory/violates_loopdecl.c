#include <assert.h>
int main(void){ int *old=0; for(int i=0;i<2;i++){ int x; if(old) assert(x==1); x=1; old=&x; } return 0; }

// check pointers
#include <stdlib.h>
int main(void){ int *p=malloc(4); if(!p) return 0; free(p); *p=1; return 0; }

#include <assert.h>
int *get(void);
int main(void){ int *p=get(); if(!p) return 0; *p=3; int *q=get(); if(!q) return 0; *q=4; assert(*p==3); return 0; }

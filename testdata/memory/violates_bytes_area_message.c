void reach_error(void); int __VERIFIER_nondet_int(void); void*malloc(unsigned long); void free(void*); void*memcpy(void*,const void*,unsigned long); void*memset(void*,int,unsigned long); typedef unsigned long uptr; 
struct M { int kind; unsigned char data[12]; }; struct M q[30]; int n;
int main(void){ int x=0; int*p=&x; int i=__VERIFIER_nondet_int(); if(i<0||i>5) return 0; memcpy(q[i].data,&p,8); int*r; memcpy(&r,q[i].data,8); *r=5; if(x==5) reach_error(); return 0; }

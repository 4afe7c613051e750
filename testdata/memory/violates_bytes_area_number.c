void reach_error(void); int __VERIFIER_nondet_int(void); void*malloc(unsigned long); void free(void*); void*memcpy(void*,const void*,unsigned long); void*memset(void*,int,unsigned long); typedef unsigned long uptr; 
struct E { void*p; long n; } a[100]; int x;
int main(void){ int i=__VERIFIER_nondet_int(); if(i<0||i>3) return 0; long k=(long)&x; a[i].n=k; int**q=(int**)&a[i]; q=q+1; **q=5; if(x==5) reach_error(); return 0; }

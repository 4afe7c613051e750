void reach_error(void); int __VERIFIER_nondet_int(void); void*malloc(unsigned long); void free(void*); void*memcpy(void*,const void*,unsigned long); void*memset(void*,int,unsigned long); typedef unsigned long uptr; 
uptr __VERIFIER_nondet_ulong(void); int main(void){ int x=0; uptr a=__VERIFIER_nondet_ulong(); int*p=(int*)a; if(p==&x){ *p=5; if(x==5) reach_error(); } return 0; }

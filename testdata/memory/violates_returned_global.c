void reach_error(void); void __MAGUS_ACTION__(const char*); int __VERIFIER_nondet_int(void); void*malloc(unsigned long); void free(void*); void*memcpy(void*,const void*,unsigned long); void*memset(void*,int,unsigned long); typedef unsigned long uptr; 
int x; int*get(void); int main(void){ int*p=get(); x=0; if(p){ *p=3; if(x==3) reach_error(); } return 0; }

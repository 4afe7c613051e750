void reach_error(void); void __MAGUS_ACTION__(const char*); int __VERIFIER_nondet_int(void); void*malloc(unsigned long); void free(void*); void*memcpy(void*,const void*,unsigned long); typedef unsigned long uptr; 
void*__VERIFIER_nondet_pointer(void); int g; int main(void){ int*p=__VERIFIER_nondet_pointer(); g=0; if(p==&g){ *p=1; if(g) reach_error(); } return 0; }

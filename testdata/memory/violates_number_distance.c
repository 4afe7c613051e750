void reach_error(void); int __VERIFIER_nondet_int(void); void*malloc(unsigned long); void free(void*); void*memcpy(void*,const void*,unsigned long); void*memset(void*,int,unsigned long); typedef unsigned long uptr; 
int a[4],b[4]; int main(void){ long d=(char*)b-(char*)a; int*p=(int*)((char*)a+d); *p=5; if(b[0]==5) reach_error(); return 0; }

void reach_error(void); int __VERIFIER_nondet_int(void); void*malloc(unsigned long); void free(void*); void*memcpy(void*,const void*,unsigned long); void*memset(void*,int,unsigned long); typedef unsigned long uptr; 
int a,b; int main(void){ long d=(long)&b-(long)&a; int*p=&a; p=(int*)((char*)p+d); *p=5; if(b==5) reach_error(); return 0; }

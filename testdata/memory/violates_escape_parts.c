void reach_error(void); void __MAGUS_ACTION__(const char*); int __VERIFIER_nondet_int(void); void*malloc(unsigned long); void free(void*); void*memcpy(void*,const void*,unsigned long); typedef unsigned long uptr; 
static int x; void reg(int,int); int main(void){ reg((int)(long)&x,(int)((long)&x>>32)); if(x) reach_error(); return 0; }

void reach_error(void); int __VERIFIER_nondet_int(void);
struct __attribute__((aligned(8))) T { int a,b; };
union U { struct T t[50]; int i[100]; long l[50]; } u;
int main(void){ int i=__VERIFIER_nondet_int(); if(i<0||i>10) return 0; u.i[5]=1; u.i[4]=1; struct T z={0,0}; u.t[i]=z; if(u.i[5]==0 && u.i[4]==0) reach_error(); return 0; }

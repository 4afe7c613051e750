void reach_error(void); int __VERIFIER_nondet_int(void);
int a[10];
int main(void){ int j=__VERIFIER_nondet_int(); if(j!=-2) return 0; *(a - j) = 5; if(a[2]==5) reach_error(); return 0; }

// check pointers
int main(void){ int a[4]; int i=__VERIFIER_nondet_int(); if(i<0||i>4) return 0; a[i]=1; return 0; }

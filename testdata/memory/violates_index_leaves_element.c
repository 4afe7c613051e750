void reach_error(void); int __VERIFIER_nondet_int(void);
struct { int x, y; } a[100];
int main(void){ int i=__VERIFIER_nondet_int(), j=__VERIFIER_nondet_int(); if(i!=3||j!=-5) return 0; a[2].x=1;  ((int*)&a[i])[j+3]=7; if(a[2].x==7) reach_error(); return 0; }

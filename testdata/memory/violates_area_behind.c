/* store of 4 bytes near the end of a summarised byte area reaches the member behind */
void reach_error(void); int __VERIFIER_nondet_int(void);
union { unsigned char b[64]; struct { unsigned char pad[40]; int tail; } s; } u;
int main(void){ int i=__VERIFIER_nondet_int(); if(i<0||i>14) return 0; u.s.tail=7; int*p=(int*)u.b; p[i]=0; if(u.s.tail==0) reach_error(); return 0; }

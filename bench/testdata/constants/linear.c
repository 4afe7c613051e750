// What has to be found: c is 2a + 3b.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
	unsigned a=0,b=0,c=0; while(__VERIFIER_nondet_int()){ if(__VERIFIER_nondet_int()){a++; c+=2;} else {b++; c+=3;} } if(c!=2*a+3*b) reach_error();
	return 0;
}

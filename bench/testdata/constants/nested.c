// What has to be found: n is 50i + j.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
	int i,j,n=0; for(i=0;i<50;i++){ for(j=0;j<50;j++){ n++; } if(n!=50*(i+1)) reach_error(); }
	return 0;
}

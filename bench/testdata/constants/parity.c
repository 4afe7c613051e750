// What has to be found: x is even.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
	unsigned x=0; while(__VERIFIER_nondet_int()){ x+=2; } if(x&1) reach_error();
	return 0;
}

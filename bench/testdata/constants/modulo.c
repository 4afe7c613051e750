// What has to be found: x is a multiple of 4.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
	unsigned x=0; while(__VERIFIER_nondet_int()){ x+=4; if(x>400) x=0; } if(x%4!=0) reach_error();
	return 0;
}

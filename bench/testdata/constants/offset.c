// What has to be found: x and y keep their difference, 7.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
	int x=0,y=7; while(__VERIFIER_nondet_int()){ x+=3; y+=3; } if(y-x!=7) reach_error();
	return 0;
}

// What has to be found: i is at most n.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
	int n=__VERIFIER_nondet_int(), i=0; if(n<0||n>100000) return 0; while(i<n){ i++; } if(i!=n) reach_error();
	return 0;
}

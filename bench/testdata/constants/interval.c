// What has to be found: i is at most 1000.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
	int i=0; while(i<1000){ i++; } if(i!=1000) reach_error();
	return 0;
}

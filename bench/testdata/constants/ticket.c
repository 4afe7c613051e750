// What has to be found: two counters and a flag.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
	unsigned t=0,s=0,h=0; while(1){ if(__VERIFIER_nondet_int()){ if(!h){h=1;t++;} } else if(h){ h=0; s++; } if(!h && t!=s) reach_error(); if(h && t!=s+1) reach_error(); }
	return 0;
}

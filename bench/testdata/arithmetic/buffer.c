// A ring of 64 places: indices by masks, lengths by differences that wrap around.
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
	unsigned head = __VERIFIER_nondet_uint(), tail = head;
	while (__VERIFIER_nondet_int()) {
		unsigned n = __VERIFIER_nondet_uint() & 63, room = 64 - (head - tail);
		if (__VERIFIER_nondet_int()) {
			if (n <= room)
				head += n;
		} else if (n <= head - tail)
			tail += n;
		if (head - tail > 64)
			reach_error();
		if ((head & 63) >= 64)
			reach_error();
	}
	return 0;
}

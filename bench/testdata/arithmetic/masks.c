// A handshake whose state is bits of a word, as OpenSSL's are.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

enum { ACCEPT = 0x2000, CONNECT = 0x1000, MASK = 0x0fff, RENEGOTIATE = 0x4, HELLO = 0x110, CERT = 0x120, KEY = 0x130, DONE = 0x140, FLUSH = 0x100 };

int main(void) {
	unsigned flags = 0, state = ACCEPT | HELLO, options = __VERIFIER_nondet_uint();
	while (1) {
		if ((state & ACCEPT) == 0)
			reach_error();
		switch (state & MASK) {
		case HELLO:
			flags |= 1;
			if (options & RENEGOTIATE)
				flags |= 8;
			state = ACCEPT | CERT;
			break;
		case CERT:
			if (__VERIFIER_nondet_int())
				flags = (flags & ~8u) | 2;
			else
				flags |= 2;
			state = (state & ~(unsigned)MASK) | KEY;
			break;
		case KEY:
			if ((flags & 3) != 3)
				reach_error();
			flags ^= 2;
			state ^= KEY ^ DONE;
			break;
		case DONE:
			if ((flags & 3) != 1)
				reach_error();
			if ((flags & 8) && !(options & RENEGOTIATE))
				reach_error();
			return 0;
		default:
			reach_error();
		}
	}
}

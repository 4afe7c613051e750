// A hash by shifts and multiplications, which is in its table.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
	unsigned h = 5381, n = 0;
	while (n < 6) {
		unsigned c = __VERIFIER_nondet_uint() & 0x7f;
		h = ((h << 5) + h) ^ c;
		n++;
	}
	unsigned slot = h % 97, half = (h >> 16) ^ (h & 0xffff);
	if (slot >= 97 || half > 0xffff)
		reach_error();
	if ((h * 0x9e3779b1u >> 26) > 63)
		reach_error();
	return 0;
}

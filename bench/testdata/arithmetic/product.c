// Areas that are computed in two ways.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
	unsigned char w = __VERIFIER_nondet_uint(), h = __VERIFIER_nondet_uint();
	if (w > 63 || h > 63)
		return 0;
	unsigned area = 0, side = (unsigned)w + h;
	for (unsigned char i = 0; i < 3; i++)
		area += (unsigned)w * h;
	if (area != 3u * w * h)
		reach_error();
	if (side * side < 4u * w * h)
		reach_error();
	return 0;
}

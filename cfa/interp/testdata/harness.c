/* What random programs are compiled with by gcc, for both data models, without
   headers or a C library: out and report write a line each. PROGRAM is the
   number of the program that runs. */

static int program;

#ifdef __LP64__

#define PRINTF __builtin_printf
#define START int main(void)
#define END return 0
static void line(const char *what, long long v) { PRINTF("%d %s %lld\n", program, what, v); }

#else /* i386, where neither a C library nor libgcc may be there */

#define START void _start(void)
#define END __asm__ volatile("int $0x80" : : "a"(1), "b"(0))

static void put(const char *s, unsigned n) {
	int r;
	__asm__ volatile("int $0x80" : "=a"(r) : "0"(4), "b"(1), "c"(s), "d"(n) : "memory");
}

/* Division by shift and subtract; gcc calls these for long long. */
static unsigned long long divide(unsigned long long a, unsigned long long b, unsigned long long *rem) {
	unsigned long long q = 0, m = 0;
	for (int i = 63; i >= 0; i--) {
		int top = m >> 63;
		m = m << 1 | (a >> i & 1);
		if (top || m >= b) {
			m -= b;
			q |= 1ull << i;
		}
	}
	*rem = m;
	return q;
}

unsigned long long __udivdi3(unsigned long long a, unsigned long long b) {
	unsigned long long r;
	return divide(a, b, &r);
}

unsigned long long __umoddi3(unsigned long long a, unsigned long long b) {
	unsigned long long r;
	divide(a, b, &r);
	return r;
}

long long __divdi3(long long a, long long b) {
	unsigned long long r, q = divide(a < 0 ? -a : a, b < 0 ? -b : b, &r);
	return (a < 0) != (b < 0) ? -q : q;
}

long long __moddi3(long long a, long long b) {
	unsigned long long r;
	divide(a < 0 ? -a : a, b < 0 ? -b : b, &r);
	return a < 0 ? -r : r;
}

static void number(long long v, char end) {
	char buf[24];
	int n = sizeof buf;
	unsigned long long u = v < 0 ? -v : v;
	buf[--n] = end;
	do
		buf[--n] = '0' + u % 10;
	while (u /= 10);
	if (v < 0)
		buf[--n] = '-';
	put(buf + n, sizeof buf - n);
}

static void line(const char *what, long long v) {
	unsigned n = 0;
	while (what[n])
		n++;
	number(program, ' ');
	put(what, n);
	put(" ", 1);
	number(v, '\n');
}

#endif

void out(long long v) { line("out", v); }

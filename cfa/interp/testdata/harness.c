/* What random programs are compiled with by gcc, for both data models, without
   headers or a C library. A line of output is the number of the program, a
   word and a value. */

static int program;

#if defined(__LP64__) || defined(HOSTED)

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

/* Memory and its routines, which gcc calls for structures too. */

void *memcpy(void *to, const void *from, unsigned n) {
	for (unsigned i = 0; i < n; i++)
		((char *)to)[i] = ((const char *)from)[i];
	return to;
}

void *memset(void *to, int c, unsigned n) {
	for (unsigned i = 0; i < n; i++)
		((char *)to)[i] = c;
	return to;
}

void *malloc(unsigned n) {
	static char heap[1 << 22] __attribute__((aligned(16)));
	static unsigned used;
	void *p = heap + used;
	used += (n + 15) & -16;
	return p;
}

void *calloc(unsigned n, unsigned size) { return memset(malloc(n * size), 0, n * size); }

void *realloc(void *old, unsigned n) { return memcpy(malloc(n), old, n); } /* may read beyond the old one */

void free(void *p) {}

#endif

void out(long long v) { line("out", v); }

/* What is nondeterministic is a function of the line, for a compiler need not
   call what gives a value that is not used. */

static unsigned long long any(unsigned long long line) {
	line = line * 6364136223846793005ull + 1442695040888963407ull;
	return line >> 32 & 8 ? line >> 58 : line >> 13;
}

#define __VERIFIER_nondet_int() ((int)any(__LINE__))
#define __VERIFIER_nondet_uint() ((unsigned)any(__LINE__))
#define __VERIFIER_nondet_char() ((char)any(__LINE__))
#define __VERIFIER_nondet_uchar() ((unsigned char)any(__LINE__))
#define __VERIFIER_nondet_short() ((short)any(__LINE__))
#define __VERIFIER_nondet_ushort() ((unsigned short)any(__LINE__))
#define __VERIFIER_nondet_long() ((long)any(__LINE__))
#define __VERIFIER_nondet_ulong() ((unsigned long)any(__LINE__))
#define __VERIFIER_nondet_longlong() ((long long)any(__LINE__))
#define __VERIFIER_nondet_ulonglong() any(__LINE__)
#define __VERIFIER_nondet_bool() ((_Bool)(any(__LINE__) & 1))

/* Ends of a program other than its return. */

static void *end[5];

#define RUN(NUMBER, CALL) \
	static __attribute__((noinline)) void run##NUMBER(void) { \
		program = NUMBER; \
		if (!__builtin_setjmp(end)) \
			line("return", CALL); \
	}

void __MAGUS_ACTION__(const char *action) { line(action, 0); }

void reach_error(void) {
	line("error", 0);
	__builtin_longjmp(end, 1);
}

void stop(void) {
	line("halt", 0);
	__builtin_longjmp(end, 1);
}

void leave(int status) { stop(); }

void __VERIFIER_assume(int condition) {
	if (!condition)
		stop();
}

#define abort stop
#define exit leave

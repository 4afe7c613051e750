/* Numbers, the end of the program, the environment, sorting and searching. */

typedef void libc_handler(void);

static libc_handler *libc_handlers[16];

static libc_handler *libc_further_handlers[16];

static int libc_registered;

/* Calls what atexit was given, the last one first. */
static void libc_run_handlers(void)
{
	while (libc_registered > 16)
		libc_further_handlers[--libc_registered - 16]();
	while (libc_registered > 0)
		libc_handlers[--libc_registered]();
}

/* Remembers a function. exit, and the return of main, calls what it was given, the last one first. */
int atexit(libc_handler *function)
{
	__magus_told("after 32 functions no more are taken");
	if (libc_registered >= 32)
		return 1;
	if (libc_registered >= 16)
		libc_further_handlers[libc_registered++ - 16] = function;
	else
		libc_handlers[libc_registered++] = function;
	return 0;
}

/* 0, with the address of new memory, or EINVAL, of alignments that are none, or another positive number. */
int posix_memalign(void **to, size_t alignment, size_t size)
{
	if (alignment < sizeof(void *) || alignment & alignment - 1)
		return 22;
	void *memory = __magus_new(size);
	if (memory || size == 0 && __magus_open_int()) {
		*to = memory;
		return 0;
	}
	if (__magus_open_int())
		*to = 0;
	return __magus_error();
}

static int libc_drawn;

static int libc_again;

/* Any number from 0 on. Once srand may have begun a sequence again, no violation rests on it. */
int rand(void)
{
	libc_drawn = 1;
	int n = libc_again ? __magus_unknown_int() : __magus_int();
	__magus_assume(n >= 0);
	return n;
}

/* Begins a sequence. */
void srand(unsigned seed)
{
	libc_again = libc_again || libc_drawn;
}

/* Any number from 0 to 2147483647. Once srandom may have begun a sequence again, no violation rests on it. */
long random(void)
{
	libc_drawn = 1;
	long n = libc_again ? __magus_unknown_long() : __magus_long();
	__magus_assume(n >= 0 && n <= 2147483647);
	return n;
}

/* Begins a sequence. */
void srandom(unsigned seed)
{
	libc_again = libc_again || libc_drawn;
}

static int libc_asked;

/* A text from outside, or NULL. After another call, or one of setenv, no violation rests on which: it may be the same. */
char *getenv(const char *name)
{
	__magus_atomic_begin();
	char *p = libc_asked ? __magus_unknown_pointer() : __magus_pointer();
	libc_asked = 1;
	__magus_atomic_end();
	return p;
}

/* 0, or -1 with errno. */
int setenv(const char *name, const char *value, int replace)
{
	libc_asked = 1;
	return libc_status();
}

/* 0, or -1 with errno. */
int unsetenv(const char *name)
{
	libc_asked = 1;
	return libc_status();
}

/* Any number. */
int system(const char *command)
{
	return __magus_int();
}

typedef int libc_comparison(const void *, const void *);

/* Exchanges two elements. */
static void libc_exchange(char *a, char *b, size_t size)
{
	if (size == sizeof(int)) {
		int kept = *(int *)a;
		*(int *)a = *(int *)b;
		*(int *)b = kept;
		return;
	}
	if (size == sizeof(void *)) {
		void *kept = *(void **)a;
		*(void **)a = *(void **)b;
		*(void **)b = kept;
		return;
	}
	for (size_t i = 0; i < __magus_steps_if_known(size); i++) {
		if (i >= size)
			break;
		char kept = a[i];
		a[i] = b[i];
		b[i] = kept;
	}
}

/* Sorts up to five elements, if it is known how many, by exchanging neighbours: one of the ways that C allows. By any other it calls the comparison with elements of the array, once or
   more often in any order, and what order they are in afterwards is not modelled. */
void qsort(void *base, size_t n, size_t size, libc_comparison *compare)
{
	if (n < 2)
		return;
	if (n <= 5 && size <= 16 && __magus_open_int()) {
		char *p = base;
		for (size_t i = 0; i < __magus_steps_if_known(n); i++) {
			if (i + 1 >= n)
				return;
			for (size_t k = 0; k < __magus_steps_if_known(n); k++) {
				if (i + k + 1 >= n)
					break;
				if (compare(p + k * size, p + (k + 1) * size) > 0)
					libc_exchange(p + k * size, p + (k + 1) * size, size);
			}
		}
	}
	__magus_output(base, n * size); /* pointers among the elements stay what they are */
	do {
		size_t i = __magus_open_long(), j = __magus_open_long();
		__magus_assume(i < n && j < n);
		__magus_blur(base, n * size);
		compare((const char *)base + i * size, (const char *)base + j * size);
	} while (__magus_open_int());
	__magus_blur(base, n * size);
}

/* Calls the comparison with elements until one is equal: its address, or NULL if none is. From the first one on, where it is known how many there are and they are few;
   else in any order of a binary search. */
void *bsearch(const void *key, const void *base, size_t n, size_t size, libc_comparison *compare)
{
	__magus_told("which elements it looks at first is not followed");
	for (size_t i = 0; i < __magus_steps_if_known(n); i++) {
		if (i >= n)
			return 0;
		int order = compare(key, (const char *)base + i * size);
		if (order == 0)
			return (char *)base + i * size;
		if (order < 0)
			return 0;
	}
	size_t low = 0, high = n;
	while (low < high) {
		size_t i = __magus_open_long();
		__magus_assume(low <= i && i < high);
		int order = compare(key, (const char *)base + i * size);
		if (order == 0)
			return (char *)base + i * size;
		if (order < 0)
			high = i;
		else
			low = i + 1;
	}
	return 0;
}

/* Any number from 0 on, and any seed: no violation rests on them. */
int rand_r(unsigned *seed)
{
	int n = __magus_unknown_int();
	*seed = __magus_unknown_int();
	__magus_assume(n >= 0);
	return n;
}

typedef struct {
	int quot, rem;
} libc_div;

/* The quotient and the remainder. */
libc_div div(int x, int y)
{
	libc_div both;
	both.quot = x / y;
	both.rem = x % y;
	return both;
}

typedef struct {
	long quot, rem;
} libc_ldiv;

/* The quotient and the remainder. */
libc_ldiv ldiv(long x, long y)
{
	libc_ldiv both;
	both.quot = x / y;
	both.rem = x % y;
	return both;
}

typedef struct {
	long long quot, rem;
} libc_lldiv;

/* The quotient and the remainder. */
libc_lldiv lldiv(long long x, long long y)
{
	libc_lldiv both;
	both.quot = x / y;
	both.rem = x % y;
	return both;
}

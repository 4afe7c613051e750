/* Texts and bytes. These models apply where one of the texts is a string literal or stands in a small array, or where it is known how many bytes are looked at: their
   loops are written out. Elsewhere those that only look for something look at the first characters. What the functions give besides is any value that a violation may not
   rest on. */

/* Any number less than zero. */
static int libc_less(void)
{
	int n = __magus_open_int();
	__magus_assume(n < 0);
	return n;
}

/* Any number greater than zero. */
static int libc_greater(void)
{
	int n = __magus_open_int();
	__magus_assume(n > 0);
	return n;
}

/* Less than, equal to, or greater than zero, as the first characters that differ. */
int strcmp(const char *a, const char *b)
{
	for (size_t i = 0; i < __magus_steps_or_few(a, b); i++) {
		if (a[i] != b[i])
			return (unsigned char)a[i] < (unsigned char)b[i] ? libc_less() : libc_greater();
		if (b[i] == 0)
			return 0;
	}
	return __magus_unknown_int();
}

/* What strcmp gives: in the locale "C". */
int strcoll(const char *a, const char *b)
{
	for (size_t i = 0; i < __magus_steps_or_few(a, b); i++) {
		if (a[i] != b[i])
			return (unsigned char)a[i] < (unsigned char)b[i] ? libc_less() : libc_greater();
		if (b[i] == 0)
			return 0;
	}
	return __magus_unknown_int();
}

/* strcmp of at most n characters. */
int strncmp(const char *a, const char *b, size_t n)
{
	for (size_t i = 0; i < __magus_steps_or_few(a, b, n); i++) {
		if (i >= n)
			return 0;
		if (a[i] != b[i])
			return (unsigned char)a[i] < (unsigned char)b[i] ? libc_less() : libc_greater();
		if (b[i] == 0)
			return 0;
	}
	return __magus_unknown_int();
}

/* strcmp of the texts in lower case. */
int strcasecmp(const char *a, const char *b)
{
	for (size_t i = 0; i < __magus_steps_or_few(a, b); i++) {
		if (__builtin_tolower((unsigned char)a[i]) != __builtin_tolower((unsigned char)b[i]))
			return __builtin_tolower((unsigned char)a[i]) < __builtin_tolower((unsigned char)b[i]) ? libc_less() : libc_greater();
		if (b[i] == 0)
			return 0;
	}
	return __magus_unknown_int();
}

/* strcasecmp of at most n characters. */
int strncasecmp(const char *a, const char *b, size_t n)
{
	for (size_t i = 0; i < __magus_steps_or_few(a, b, n); i++) {
		if (i >= n)
			return 0;
		if (__builtin_tolower((unsigned char)a[i]) != __builtin_tolower((unsigned char)b[i]))
			return __builtin_tolower((unsigned char)a[i]) < __builtin_tolower((unsigned char)b[i]) ? libc_less() : libc_greater();
		if (b[i] == 0)
			return 0;
	}
	return __magus_unknown_int();
}

/* Less than, equal to, or greater than zero, as the first bytes that differ. */
int memcmp(const void *a, const void *b, size_t n)
{
	__magus_touch(a, n);
	__magus_touch(b, n);
	for (size_t i = 0; i < __magus_steps_or_few(n); i++) {
		if (i >= n)
			return 0;
		if (((const unsigned char *)a)[i] != ((const unsigned char *)b)[i])
			return ((const unsigned char *)a)[i] < ((const unsigned char *)b)[i] ? libc_less() : libc_greater();
	}
	__magus_output(a, n);
	__magus_output(b, n);
	return __magus_unknown_int();
}

/* The first place of a character, the end of the text included, or NULL. */
char *strchr(const char *s, int c)
{
	for (size_t i = 0; i < __magus_steps_or_few(s); i++) {
		if (s[i] == (char)c)
			return (char *)s + i;
		if (s[i] == 0)
			return 0;
	}
	return __magus_unknown_int() ? (char *)s + __magus_unknown_long() : 0;
}

/* The last place of a character, the end of the text included, or NULL. */
char *strrchr(const char *s, int c)
{
	char *last = 0;
	for (size_t i = 0; i < __magus_steps_or_few(s); i++) {
		if (s[i] == (char)c)
			last = (char *)s + i;
		if (s[i] == 0)
			return last;
	}
	return __magus_unknown_int() ? (char *)s + __magus_unknown_long() : 0;
}

/* The first place of a byte among n, or NULL. */
void *memchr(const void *p, int c, size_t n)
{
	for (size_t i = 0; i < __magus_steps_or_few(n); i++) {
		if (i >= n)
			return 0;
		if (((const unsigned char *)p)[i] == (unsigned char)c)
			return (unsigned char *)p + i;
	}
	return __magus_unknown_int() ? (unsigned char *)p + __magus_unknown_long() : 0;
}

/* How many characters the text begins with that are among some. */
size_t strspn(const char *s, const char *some)
{
	for (size_t i = 0; i < __magus_steps_or_few(s); i++) {
		if (s[i] == 0)
			return i;
		for (size_t k = 0; k < __magus_steps(some); k++) {
			if (some[k] == 0)
				return i;
			if (some[k] == s[i])
				break;
		}
	}
	return __magus_unknown_long();
}

/* How many characters the text begins with that are not among some. */
size_t strcspn(const char *s, const char *some)
{
	for (size_t i = 0; i < __magus_steps_or_few(s); i++) {
		if (s[i] == 0)
			return i;
		for (size_t k = 0; k < __magus_steps(some); k++) {
			if (some[k] == 0)
				break;
			if (some[k] == s[i])
				return i;
		}
	}
	return __magus_unknown_long();
}

/* The first place of a character that is among some, or NULL. */
char *strpbrk(const char *s, const char *some)
{
	for (size_t i = 0; i < __magus_steps_or_few(s); i++) {
		if (s[i] == 0)
			return 0;
		for (size_t k = 0; k < __magus_steps(some); k++) {
			if (some[k] == 0)
				break;
			if (some[k] == s[i])
				return (char *)s + i;
		}
	}
	return __magus_unknown_int() ? (char *)s + __magus_unknown_long() : 0;
}

/* The first place of a text within another one, or NULL. */
char *strstr(const char *s, const char *part)
{
	for (size_t i = 0; i < __magus_steps_or_few(s); i++) {
		for (size_t k = 0; k < __magus_steps(part); k++) {
			if (part[k] == 0)
				return (char *)s + i;
			if (s[i + k] != part[k])
				break;
		}
		if (s[i] == 0)
			return 0;
	}
	return __magus_unknown_int() ? (char *)s + __magus_unknown_long() : 0;
}

/* Copies n bytes, and gives where those behind them are now. */
void *mempcpy(void *to, const void *from, size_t n)
{
	return (char *)__builtin_memcpy(to, from, n) + n;
}

/* Copies a text, and gives where it is now. */
char *strcpy(char *to, const char *from)
{
	for (size_t i = 0; i < __magus_steps(to, from); i++) {
		to[i] = from[i];
		if (from[i] == 0)
			return to;
	}
	return __magus_unknown_pointer();
}

/* Copies a text, and gives where it ends now. */
char *stpcpy(char *to, const char *from)
{
	for (size_t i = 0; i < __magus_steps(to, from); i++) {
		to[i] = from[i];
		if (from[i] == 0)
			return to + i;
	}
	return __magus_unknown_pointer();
}

/* Copies n characters, all 0 behind the end of the text, and gives where they are now. */
char *strncpy(char *to, const char *from, size_t n)
{
	int ended = 0;
	for (size_t i = 0; i < __magus_steps(n); i++) {
		if (i >= n)
			return to;
		if (ended || from[i] == 0) {
			ended = 1;
			to[i] = 0;
		} else {
			to[i] = from[i];
		}
	}
	return __magus_unknown_pointer();
}

/* Copies a text behind another one, and gives where that is. */
char *strcat(char *to, const char *from)
{
	for (size_t i = 0; i < __magus_steps(to); i++)
		if (to[i] == 0)
			for (size_t k = 0; k < __magus_steps(from, to); k++) {
				to[i + k] = from[k];
				if (from[k] == 0)
					return to;
			}
	return __magus_unknown_pointer();
}

/* Copies up to n characters of a text, and an end, behind another text, and gives where that is. */
char *strncat(char *to, const char *from, size_t n)
{
	for (size_t i = 0; i < __magus_steps(to); i++)
		if (to[i] == 0)
			for (size_t k = 0; k < __magus_steps(from, n, to); k++) {
				if (k >= n) {
					to[i + k] = 0;
					return to;
				}
				to[i + k] = from[k];
				if (from[k] == 0)
					return to;
			}
	return __magus_unknown_pointer();
}

/* Whether a character is among some, the end of the text not. */
static int libc_among(char c, const char *some)
{
	for (size_t k = 0; k < __magus_steps(some); k++) {
		if (some[k] == 0)
			return 0;
		if (some[k] == c)
			return 1;
	}
	return __magus_unknown_int();
}

/* Cuts the next part, between characters that are among some, out of a text. NULL if there is no more. */
static char *libc_part(char *s, const char *some, char **rest)
{
	while (*s && libc_among(*s, some))
		s++;
	if (*s == 0) {
		*rest = s;
		return 0;
	}
	char *end = s;
	while (*end && !libc_among(*end, some))
		end++;
	if (*end)
		*end++ = 0;
	*rest = end;
	return s;
}

/* Cuts the next part, between characters that are among some, out of a text, where the last call has ended if there is no text. NULL if there is no more. */
char *strtok_r(char *s, const char *some, char **rest)
{
	return libc_part(s ? s : *rest, some, rest);
}

static char *libc_rest;

/* Cuts the next part, between characters that are among some, out of a text, where the last call has ended if there is no text. NULL if there is no more. */
char *strtok(char *s, const char *some)
{
	return libc_part(s ? s : libc_rest, some, &libc_rest);
}

/* Whether strerror was called. */
static int libc_explained;

/* A text, never NULL. After another call no violation rests on which: it may be the same. */
char *strerror(int error)
{
	__magus_atomic_begin();
	char *p = libc_explained ? __magus_unknown_pointer() : __magus_pointer();
	libc_explained = 1;
	__magus_atomic_end();
	if (p == 0)
		__magus_assume(0);
	return p;
}

/* What memcpy does, where there is as much room as is said; else the process stops. */
void *__memcpy_chk(void *to, const void *from, size_t n, size_t room)
{
	if (n > room)
		__magus_halt();
	return __builtin_memcpy(to, from, n);
}

/* What memmove does, where there is as much room as is said; else the process stops. */
void *__memmove_chk(void *to, const void *from, size_t n, size_t room)
{
	if (n > room)
		__magus_halt();
	return __builtin_memmove(to, from, n);
}

/* What memset does, where there is as much room as is said; else the process stops. */
void *__memset_chk(void *to, int c, size_t n, size_t room)
{
	if (n > room)
		__magus_halt();
	return __builtin_memset(to, c, n);
}

/* What mempcpy does, where there is as much room as is said; else the process stops. */
void *__mempcpy_chk(void *to, const void *from, size_t n, size_t room)
{
	if (n > room)
		__magus_halt();
	return (char *)__builtin_memcpy(to, from, n) + n;
}

/* What strcpy does, where there is as much room as is said; else the process stops. */
char *__strcpy_chk(char *to, const char *from, size_t room)
{
	size_t n = __builtin_strlen(from);
	if (n >= room)
		__magus_halt();
	return __builtin_memcpy(to, from, n + 1);
}

/* What stpcpy does, where there is as much room as is said; else the process stops. */
char *__stpcpy_chk(char *to, const char *from, size_t room)
{
	size_t n = __builtin_strlen(from);
	if (n >= room)
		__magus_halt();
	return (char *)__builtin_memcpy(to, from, n + 1) + n;
}

/* What strcat does, where there is as much room as is said; else the process stops. */
char *__strcat_chk(char *to, const char *from, size_t room)
{
	size_t at = __builtin_strlen(to), n = __builtin_strlen(from);
	if (at + n >= room)
		__magus_halt();
	__builtin_memcpy(to + at, from, n + 1);
	return to;
}

/* Texts that are numbers, in the locale "C". Where neither a literal nor a small array bounds the text, a violation may rest on what they give if a decimal number of few characters stands there. */

/* The value of a character as a digit, 99 if it is none. */
static int libc_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'Z')
		return c - 'A' + 10;
	return 99;
}

/* Whether a character is white space. */
static int libc_blank(char c)
{
	return c == ' ' || c >= 9 && c <= 13;
}

/* The number that a text begins with, at most a limit, beyond which it is ERANGE and another number. end is where it ends, none where there is no digit, which may be EINVAL. */
static unsigned long long libc_digits(const char *s, int base, unsigned long long most, unsigned long long beyond, int negative, char **end, const char *none)
{
	unsigned long long n = 0;
	int over = 0;
	for (size_t k = 0; k < __magus_steps(s); k++) {
		int digit = libc_digit(s[k]);
		if (digit >= base) {
			if (end)
				*end = k ? (char *)s + k : (char *)none;
			if (k == 0 && __magus_open_int())
				*__errno_location() = 22;
			if (over) {
				*__errno_location() = 34;
				return beyond;
			}
			return negative ? 0 - n : n;
		}
		if (n > most / base || n == most / base && digit > most % base)
			over = 1;
		else
			n = n * base + digit;
	}
	if (__magus_unknown_long())
		*__errno_location() = __magus_unknown_long() ? 22 : 34;
	if (end)
		*end = __magus_unknown_pointer();
	return __magus_unknown_long_long();
}

/* The same with the base that the text says, where base is 0, and a prefix 0x. */
static unsigned long long libc_based(const char *s, int base, unsigned long long most, unsigned long long beyond, int negative, char **end, const char *none)
{
	if ((base == 0 || base == 16) && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') && libc_digit(s[2]) < 16)
		return libc_digits(s + 2, 16, most, beyond, negative, end, none);
	if (base != 0)
		return libc_digits(s, base, most, beyond, negative, end, none);
	if (s[0] == '0')
		return libc_digits(s, 8, most, beyond, negative, end, none);
	return libc_digits(s, 10, most, beyond, negative, end, none);
}

/* The number that a text of any length begins with: known where it has few characters, and its base is 10. */
static unsigned long long libc_unbounded(const char *s, int base, unsigned long long least, unsigned long long most, char **end)
{
	unsigned long long n = base == 10 ? __magus_number(s) : __magus_unknown_long_long();
	if ((n == 0 || n == least || n == most) && __magus_unknown_long())
		*__errno_location() = __magus_unknown_long() ? 22 : 34;
	if (end)
		*end = base == 10 ? (char *)s + __magus_number_end(s) : __magus_unknown_pointer();
	return n;
}

/* The same with white space and a sign before it. */
static unsigned long long libc_signed(const char *s, int base, unsigned long long most, char **end)
{
	if (base < 0 || base == 1 || base > 36) {
		*__errno_location() = 22;
		return 0;
	}
	for (size_t i = 0; i < __magus_steps(s); i++) {
		if (libc_blank(s[i]))
			continue;
		if (s[i] == '-')
			return libc_based(s + i + 1, base, most + 1, most + 1, 1, end, s);
		if (s[i] == '+')
			return libc_based(s + i + 1, base, most, most, 0, end, s);
		return libc_based(s + i, base, most, most, 0, end, s);
	}
	return libc_unbounded(s, base, 0 - (most + 1), most, end);
}

/* The same for numbers without a sign. */
static unsigned long long libc_unsigned(const char *s, int base, unsigned long long most, char **end)
{
	if (base < 0 || base == 1 || base > 36) {
		*__errno_location() = 22;
		return 0;
	}
	for (size_t i = 0; i < __magus_steps(s); i++) {
		if (libc_blank(s[i]))
			continue;
		if (s[i] == '-')
			return libc_based(s + i + 1, base, most, most, 1, end, s);
		if (s[i] == '+')
			return libc_based(s + i + 1, base, most, most, 0, end, s);
		return libc_based(s + i, base, most, most, 0, end, s);
	}
	return libc_unbounded(s, base, 0, most, end);
}

/* The number that a text begins with, cut to a long, with ERANGE; end is where it ends. */
long strtol(const char *s, char **end, int base)
{
	return libc_signed(s, base, (unsigned long)-1 >> 1, end);
}

/* The number that a text begins with, cut to a long long, with ERANGE; end is where it ends. */
long long strtoll(const char *s, char **end, int base)
{
	return libc_signed(s, base, (unsigned long long)-1 >> 1, end);
}

/* The number that a text begins with, cut to an unsigned long, with ERANGE; end is where it ends. */
unsigned long strtoul(const char *s, char **end, int base)
{
	return libc_unsigned(s, base, (unsigned long)-1, end);
}

/* The number that a text begins with, cut to an unsigned long long, with ERANGE; end is where it ends. */
unsigned long long strtoull(const char *s, char **end, int base)
{
	return libc_unsigned(s, base, (unsigned long long)-1, end);
}

/* The number that a text begins with, of strtol made an int. */
int atoi(const char *s)
{
	return libc_signed(s, 10, (unsigned long)-1 >> 1, 0);
}

/* The number that a text begins with, as strtol. */
long atol(const char *s)
{
	return libc_signed(s, 10, (unsigned long)-1 >> 1, 0);
}

/* The number that a text begins with, as strtoll. */
long long atoll(const char *s)
{
	return libc_signed(s, 10, (unsigned long long)-1 >> 1, 0);
}

/* errno where a number is out of range: what is too large has ERANGE, what is too small may have it. */
static void libc_range(int error)
{
	if (error == 1 || error == 2 && __magus_open_int())
		*__errno_location() = 34;
}

/* The number that a text begins with, rounded once. Of a text that may change it is any number, which no violation rests on. */
static double libc_double(const char *s, char **end)
{
	if (__magus_text_end(s) < 0) {
		int before = *__errno_location();
		*__errno_location() = before + (34 - before) * (__magus_unknown_int() & 1);
		if (end)
			*end = __magus_unknown_pointer();
		return __magus_unknown_double();
	}
	libc_range(__magus_text_error(s));
	if (end)
		*end = (char *)s + __magus_text_end(s);
	return __magus_text_number(s);
}

/* The number that a text begins with, rounded once, with ERANGE; end is where it ends. */
double strtod(const char *s, char **end)
{
	return libc_double(s, end);
}

/* The same as a float. */
float strtof(const char *s, char **end)
{
	if (__magus_text_endf(s) < 0) {
		int before = *__errno_location();
		*__errno_location() = before + (34 - before) * (__magus_unknown_int() & 1);
		if (end)
			*end = __magus_unknown_pointer();
		return __magus_unknown_float();
	}
	libc_range(__magus_text_errorf(s));
	if (end)
		*end = (char *)s + __magus_text_endf(s);
	return __magus_text_numberf(s);
}

/* The same as a long double. */
long double strtold(const char *s, char **end)
{
	if (__magus_text_endl(s) < 0) {
		int before = *__errno_location();
		*__errno_location() = before + (34 - before) * (__magus_unknown_int() & 1);
		if (end)
			*end = __magus_unknown_pointer();
		return __magus_unknown_long_double();
	}
	libc_range(__magus_text_errorl(s));
	if (end)
		*end = (char *)s + __magus_text_endl(s);
	return __magus_text_numberl(s);
}

/* The number that a text begins with, as strtod. */
double atof(const char *s)
{
	return libc_double(s, 0);
}

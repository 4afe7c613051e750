/* Time. */

/* Any time, stored too where that is asked for, or -1. */
long time(long *t)
{
	long now = __magus_long();
	if (t)
		*t = now;
	return now;
}

/* Any number. */
long clock(void)
{
	return __magus_long();
}

/* Any time with less than a million microseconds. */
int gettimeofday(void *time, void *zone)
{
	int failed = libc_status();
	if (!failed && time) {
		long *t = time;
		__magus_memory(t, 2 * sizeof(long));
		__magus_assume(t[1] >= 0 && t[1] < 1000000);
	}
	return failed;
}

/* Any time with less than a milliard nanoseconds. */
int clock_gettime(int clock, void *time)
{
	int failed = libc_status();
	if (!failed) {
		long *t = time;
		__magus_memory(t, 2 * sizeof(long));
		__magus_assume(t[1] >= 0 && t[1] < 1000000000);
	}
	return failed;
}

/* What is left to sleep: any number up to that asked for. */
unsigned sleep(unsigned seconds)
{
	unsigned left = __magus_int();
	__magus_assume(left <= seconds);
	return left;
}

/* 0, or -1 with errno. */
int usleep(unsigned microseconds)
{
	return libc_status();
}

/* The seconds between two times, which are numbers of seconds, rounded once. */
double difftime(long end, long begin)
{
	if (end < begin)
		return -(double)((unsigned long)begin - (unsigned long)end);
	return (double)((unsigned long)end - (unsigned long)begin);
}

/* A text, and how many characters it has: any value that a violation may not rest on. */
size_t strftime(char *s, size_t n, const char *format, const void *time)
{
	__magus_blur(s, n);
	return __magus_unknown_long();
}

/* A point in time in parts, as gmtime and localtime give it. */
static struct { int second, minute, hour, day, month, year, weekday, yearday, daylight; long offset; const char *zone; } libc_parts;

/* NULL, with errno, or the parts, in one place and each in its range; no violation rests on them, for the time determines them. */
static void *libc_divided(void)
{
	if (!__magus_int()) {
		*__errno_location() = __magus_error();
		return 0;
	}
	__magus_blur(&libc_parts, sizeof libc_parts);
	__magus_assume(libc_parts.second >= 0 && libc_parts.second <= 60 && libc_parts.minute >= 0 && libc_parts.minute < 60);
	__magus_assume(libc_parts.hour >= 0 && libc_parts.hour < 24 && libc_parts.day >= 1 && libc_parts.day <= 31);
	__magus_assume(libc_parts.month >= 0 && libc_parts.month < 12);
	__magus_assume(libc_parts.weekday >= 0 && libc_parts.weekday < 7 && libc_parts.yearday >= 0 && libc_parts.yearday < 366);
	return &libc_parts;
}

/* The parts of a time, in a place that localtime has too, or NULL. */
void *gmtime(const long *t)
{
	return libc_divided();
}

/* The parts of a time, in a place that gmtime has too, or NULL. */
void *localtime(const long *t)
{
	return libc_divided();
}

/* 0, or -1 with errno, when any time is left. */
int nanosleep(const void *time, void *left)
{
	int failed = libc_status();
	if (failed && left) {
		long *t = left;
		__magus_memory(t, 2 * sizeof(long));
		__magus_assume(t[1] >= 0 && t[1] < 1000000000);
	}
	return failed;
}

/* What the models of several headers have in common. */

/* 0, or -1 with a positive errno: any of the two. */
static int libc_status(void)
{
	int failed = __magus_int();
	__magus_assume(failed == 0 || failed == -1);
	if (failed)
		*__errno_location() = __magus_error();
	return failed;
}

/* A number from 0 on, or -1 with a positive errno. */
static int libc_number(void)
{
	int n = __magus_int();
	__magus_assume(n >= -1);
	if (n < 0)
		*__errno_location() = __magus_error();
	return n;
}

/* Something from 0 to a limit, or -1 with a positive errno. */
static ssize_t libc_amount(size_t limit)
{
	ssize_t n = __magus_long();
	__magus_assume(n >= -1 && (n < 0 || (size_t)n <= limit));
	if (n < 0)
		*__errno_location() = __magus_error();
	return n;
}

/* 0, or EOF. */
static int libc_done(void)
{
	int failed = __magus_int();
	__magus_assume(failed == 0 || failed == -1);
	if (failed)
		*__errno_location() = __magus_error();
	return failed;
}

/* A new handle, or NULL with a positive errno. */
static void *libc_opened(void)
{
	if (__magus_open_int())
		return __magus_handle();
	*__errno_location() = __magus_error();
	return 0;
}

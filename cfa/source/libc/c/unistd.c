/* Files and processes: whether something succeeds, and what is read, is any of what POSIX allows. */

/* A number from 0 on, or -1 with errno. */
int open(const char *name, int flags, ...)
{
	return libc_number();
}

/* A number from 0 on, or -1 with errno. */
int creat(const char *name, unsigned mode)
{
	return libc_number();
}

/* 0, or -1 with errno. */
int close(int fd)
{
	return libc_status();
}

/* How many bytes were read, up to n, or -1 with errno. */
ssize_t read(int fd, void *p, size_t n)
{
	ssize_t got = libc_amount(n);
	if (got > 0)
		__magus_memory(p, got);
	return got;
}

/* How many bytes were written, up to n, or -1 with errno. */
ssize_t write(int fd, const void *p, size_t n)
{
	return libc_amount(n);
}

/* Any place from 0 on, or -1 with errno. */
long lseek(int fd, long offset, int from)
{
	long n = __magus_long();
	__magus_assume(n >= -1);
	if (n < 0)
		*__errno_location() = __magus_error();
	return n;
}

/* 0, or -1 with errno. */
int ftruncate(int fd, long size)
{
	return libc_status();
}

/* 0, or -1 with errno. */
int fsync(int fd)
{
	return libc_status();
}

/* 0, or -1 with errno. */
int unlink(const char *name)
{
	return libc_status();
}

/* 0, or -1 with errno. */
int rmdir(const char *name)
{
	return libc_status();
}

/* 0, or -1 with errno. */
int mkdir(const char *name, unsigned mode)
{
	return libc_status();
}

/* 0, or -1 with errno. */
int chdir(const char *name)
{
	return libc_status();
}

/* 0, or -1 with errno. */
int access(const char *name, int mode)
{
	return libc_status();
}

/* 0, or -1 with errno. */
int chmod(const char *name, unsigned mode)
{
	return libc_status();
}

/* 1, or 0 with errno. */
int isatty(int fd)
{
	int is = __magus_int();
	__magus_assume(is == 0 || is == 1);
	if (!is)
		*__errno_location() = __magus_error();
	return is;
}

/* A number from 0 on, or -1 with errno. */
int dup(int fd)
{
	return libc_number();
}

/* The new number, or -1 with errno. */
int dup2(int fd, int to)
{
	int n = __magus_int();
	__magus_assume(n == -1 || n == to && n >= 0);
	if (n < 0)
		*__errno_location() = __magus_error();
	return n;
}

/* A positive number. */
int getpid(void)
{
	int n = __magus_int();
	__magus_assume(n > 0);
	return n;
}

/* A number from 0 on. */
int getppid(void)
{
	int n = __magus_int();
	__magus_assume(n >= 0);
	return n;
}

/* Any number. */
unsigned getuid(void)
{
	return __magus_int();
}

/* Any number. */
unsigned geteuid(void)
{
	return __magus_int();
}

/* 0, or -1 with errno; what is known of the file is any value. */
int stat(const char *name, void *about)
{
	int failed = libc_status();
	if (!failed)
		__magus_object(about);
	return failed;
}

/* 0, or -1 with errno; what is known of the file is any value. */
int lstat(const char *name, void *about)
{
	int failed = libc_status();
	if (!failed)
		__magus_object(about);
	return failed;
}

/* 0, or -1 with errno; what is known of the file is any value. */
int fstat(int fd, void *about)
{
	int failed = libc_status();
	if (!failed)
		__magus_object(about);
	return failed;
}

/* 0, or -1 with errno; what is known of the terminal is any value. */
int tcgetattr(int fd, void *about)
{
	int failed = libc_status();
	if (!failed)
		__magus_object(about);
	return failed;
}

/* 0, or -1 with errno. */
int tcsetattr(int fd, int when, const void *about)
{
	return libc_status();
}

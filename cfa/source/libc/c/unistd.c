/* Files and processes: whether something succeeds, and what is read, is any of what POSIX allows. */

extern int libc_newest_descriptor;

extern int libc_newer_descriptor;

extern int libc_new_descriptor;

/* Remembers that a descriptor is open: the last three are. What nobody described may close them. */
static void libc_descriptor_opened(int fd)
{
	libc_new_descriptor = libc_newer_descriptor;
	libc_newer_descriptor = libc_newest_descriptor;
	libc_newest_descriptor = fd;
}

/* Forgets that a descriptor is open. */
static void libc_descriptor_closed(int fd)
{
	__magus_atomic_begin();
	if (libc_newest_descriptor == fd)
		libc_newest_descriptor = -1;
	if (libc_newer_descriptor == fd)
		libc_newer_descriptor = -1;
	if (libc_new_descriptor == fd)
		libc_new_descriptor = -1;
	__magus_atomic_end();
}

/* A descriptor, none of those that are known to be open, or -1 with errno. */
static int libc_descriptor(void)
{
	int n = libc_number();
	if (n >= 0) {
		__magus_atomic_begin();
		__magus_assume(n != libc_newest_descriptor && n != libc_newer_descriptor && n != libc_new_descriptor);
		libc_descriptor_opened(n);
		__magus_atomic_end();
	}
	return n;
}

/* 0, with two new descriptors, or -1 with errno. */
static int libc_two_descriptors(int *ends)
{
	int failed = libc_status();
	if (failed)
		return failed;
	int one = __magus_open_int(), other = __magus_open_int();
	__magus_assume(one >= 0 && other >= 0 && one != other);
	__magus_atomic_begin();
	__magus_assume(one != libc_newest_descriptor && one != libc_newer_descriptor && one != libc_new_descriptor);
	__magus_assume(other != libc_newest_descriptor && other != libc_newer_descriptor && other != libc_new_descriptor);
	libc_descriptor_opened(one);
	libc_descriptor_opened(other);
	__magus_atomic_end();
	ends[0] = one;
	ends[1] = other;
	return 0;
}

/* A number from 0 on that is not open, or -1 with errno. */
int open(const char *name, int flags, ...)
{
	return libc_descriptor();
}

/* A number from 0 on that is not open, or -1 with errno. */
int creat(const char *name, unsigned mode)
{
	return libc_descriptor();
}

/* 0, or -1 with errno, when it is closed perhaps. */
int close(int fd)
{
	libc_descriptor_closed(fd);
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
	__magus_output(p, n);
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

/* A number from 0 on that is not open, or -1 with errno. */
int dup(int fd)
{
	return libc_descriptor();
}

/* The new number, or -1 with errno. */
int dup2(int fd, int to)
{
	int n = __magus_int();
	__magus_assume(n == -1 || n == to && n >= 0);
	if (n < 0) {
		*__errno_location() = __magus_error();
		return n;
	}
	libc_descriptor_closed(to);
	__magus_atomic_begin();
	libc_descriptor_opened(to);
	__magus_atomic_end();
	return n;
}

/* The new number, which is another one, or -1 with errno. */
int dup3(int fd, int to, int flags)
{
	int n = __magus_int();
	__magus_assume(n == -1 || n == to && n >= 0 && n != fd);
	if (n < 0) {
		*__errno_location() = __magus_error();
		return n;
	}
	libc_descriptor_closed(to);
	__magus_atomic_begin();
	libc_descriptor_opened(to);
	__magus_atomic_end();
	return n;
}

/* 0, with two new descriptors, or -1 with errno. */
int pipe(int *ends)
{
	return libc_two_descriptors(ends);
}

/* 0, with two new descriptors, or -1 with errno. */
int pipe2(int *ends, int flags)
{
	return libc_two_descriptors(ends);
}

extern int libc_process;

/* A positive number, the same at each call: fork, and what nobody described, may change it. */
int getpid(void)
{
	int n = __magus_int();
	__magus_assume(n > 0 && n == libc_process);
	return n;
}

/* A number from 0 on, any at each call: a parent may end. */
int getppid(void)
{
	int n = __magus_int();
	__magus_assume(n >= 0);
	return n;
}

/* -1 with errno, a positive number in the parent, 0 in the child, which has another number. */
int fork(void)
{
	int n = __magus_int();
	__magus_assume(n >= -1);
	if (n < 0)
		*__errno_location() = __magus_error();
	if (n > 0)
		__magus_assume(n != libc_process);
	if (n == 0) {
		int before = libc_process;
		libc_process = __magus_open_int();
		__magus_assume(libc_process != before);
	}
	return n;
}

extern unsigned libc_user;

extern unsigned libc_effective_user;

/* Any number, the same at each call until it is set, or something runs that nobody described. */
unsigned getuid(void)
{
	unsigned n = __magus_int();
	__magus_assume(n == libc_user);
	return n;
}

/* Any number, the same at each call until it is set, or something runs that nobody described. */
unsigned geteuid(void)
{
	unsigned n = __magus_int();
	__magus_assume(n == libc_effective_user);
	return n;
}

/* 0, or -1 with errno; whose number is set is left open. */
int setuid(unsigned user)
{
	if (libc_status())
		return -1;
	if (__magus_open_int())
		libc_user = user;
	libc_effective_user = user;
	return 0;
}

/* 0, or -1 with errno. */
int seteuid(unsigned user)
{
	if (libc_status())
		return -1;
	libc_effective_user = user;
	return 0;
}

extern unsigned libc_group;

extern unsigned libc_effective_group;

/* Any number, the same at each call until it is set, or something runs that nobody described. */
unsigned getgid(void)
{
	unsigned n = __magus_int();
	__magus_assume(n == libc_group);
	return n;
}

/* Any number, the same at each call until it is set, or something runs that nobody described. */
unsigned getegid(void)
{
	unsigned n = __magus_int();
	__magus_assume(n == libc_effective_group);
	return n;
}

/* 0, or -1 with errno; whose number is set is left open. */
int setgid(unsigned group)
{
	if (libc_status())
		return -1;
	if (__magus_open_int())
		libc_group = group;
	libc_effective_group = group;
	return 0;
}

/* 0, or -1 with errno. */
int setegid(unsigned group)
{
	if (libc_status())
		return -1;
	libc_effective_group = group;
	return 0;
}

extern const int libc_page;

/* A positive number, always the same. */
int getpagesize(void)
{
	int n = __magus_int();
	__magus_assume(n > 0 && n == libc_page);
	return n;
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

/* How many bytes have room in some parts. */
static size_t libc_room(const void *parts, size_t count)
{
	const struct {
		void *at;
		size_t size;
	} *all = parts;
	size_t room = 0;
	for (size_t i = 0; i < count; i++)
		room += all[i].size;
	return room;
}

/* Reads up to n bytes into some parts, one after the other. */
static void libc_scatter(const void *parts, size_t count, size_t n)
{
	const struct {
		void *at;
		size_t size;
	} *all = parts;
	for (size_t i = 0; i < count && n > 0; i++) {
		size_t here = all[i].size < n ? all[i].size : n;
		if (here > 0)
			__magus_memory(all[i].at, here);
		n -= here;
	}
}

/* How many bytes were read into some parts, or -1 with errno: EINVAL for a number of parts that is none. */
static ssize_t libc_read_parts(const void *parts, int count)
{
	if (count < 0 || count > 1024) {
		*__errno_location() = 22;
		return -1;
	}
	ssize_t got = libc_amount(libc_room(parts, count));
	if (got > 0)
		libc_scatter(parts, count, got);
	return got;
}

/* How many bytes were read into so many parts, up to what has room there, or -1 with errno. */
ssize_t readv(int fd, const void *parts, int count)
{
	return libc_read_parts(parts, count);
}

/* How many bytes were read into so many parts, up to what has room there, or -1 with errno. */
ssize_t preadv(int fd, const void *parts, int count, long at)
{
	return libc_read_parts(parts, count);
}

/* How many descriptors are ready, or -1 with errno: then none is said to be. */
static int libc_poll(void *descriptors, unsigned long n)
{
	struct {
		int fd;
		short asked, now;
	} *all = descriptors;
	int failed = libc_status(), ready = 0;
	for (size_t i = 0; i < n; i++) {
		short now = failed || all[i].fd < 0 ? 0 : __magus_int();
		__magus_assume((now & ~(all[i].asked | 0x38)) == 0);
		if (!failed || __magus_int())
			all[i].now = now;
		ready += now != 0;
	}
	return failed ? failed : ready;
}

/* How many descriptors are ready for what is asked of them, or for what is always told; -1 with errno. */
int poll(void *descriptors, unsigned long n, int wait)
{
	return libc_poll(descriptors, n);
}

/* How many descriptors are ready for what is asked of them, or for what is always told; -1 with errno. */
int ppoll(void *descriptors, unsigned long n, const void *wait, const void *mask)
{
	return libc_poll(descriptors, n);
}

/* A text of less than n characters that begins with a slash, in memory of its own where there is none; or NULL with errno. */
char *getcwd(char *to, size_t n)
{
	size_t length = __magus_open_long();
	if (libc_status())
		return 0;
	__magus_assume(length > 0 && length < (to || n ? n : 4096));
	if (!to && !(to = __magus_new(n ? n : length + 1)))
		return 0;
	__magus_memory(to, length + 1);
	__magus_assume(to[0] == '/');
	to[length] = 0;
	return to;
}

/* How many bytes were read, up to n, or -1 with errno. */
ssize_t pread(int fd, void *p, size_t n, long at)
{
	ssize_t got = libc_amount(n);
	if (got > 0)
		__magus_memory(p, got);
	return got;
}

/* How many bytes were written, up to n, or -1 with errno. */
ssize_t pwrite(int fd, const void *p, size_t n, long at)
{
	__magus_output(p, n);
	return libc_amount(n);
}

/* How many characters were read, up to n, or -1 with errno. */
ssize_t readlink(const char *name, char *to, size_t n)
{
	ssize_t got = libc_amount(n);
	if (got > 0)
		__magus_memory(to, got);
	return got;
}

/* The process that has ended, the one that is named, with any status; 0 with WNOHANG only; or -1 with errno. */
int waitpid(int of, int *status, int options)
{
	int n = __magus_int();
	__magus_assume(n == -1 || n == 0 && options & 1 || n > 0 && (of <= 0 || n == of));
	if (n < 0)
		*__errno_location() = __magus_error();
	if (n > 0 && status)
		*status = __magus_int();
	return n;
}

/* The process that has ended, with any status, or -1 with errno. */
int wait(int *status)
{
	int n = __magus_int();
	__magus_assume(n == -1 || n > 0);
	if (n < 0)
		*__errno_location() = __magus_error();
	if (n > 0 && status)
		*status = __magus_int();
	return n;
}

/* How many descriptors are ready, or -1 with errno; the sets, and the time, are any value. */
int select(int n, void *in, void *out, void *errors, void *wait)
{
	int ready = __magus_int();
	__magus_assume(ready >= -1 && (ready < 1 || ready <= 3LL * n));
	if (ready < 0)
		*__errno_location() = __magus_error();
	if (in)
		__magus_object(in);
	if (out)
		__magus_object(out);
	if (errors)
		__magus_object(errors);
	if (wait)
		__magus_object(wait);
	return ready;
}

/* 0, or -1 with errno; what is known of the file is any value. */
int fstatat(int dir, const char *name, void *about, int flags)
{
	int failed = libc_status();
	if (!failed)
		__magus_object(about);
	return failed;
}

/* 0, or -1 with errno; the limits are any value. */
int getrlimit(int of, void *about)
{
	int failed = libc_status();
	if (!failed)
		__magus_object(about);
	return failed;
}

/* 0, or -1 with errno; what is used is any value. */
int getrusage(int of, void *about)
{
	int failed = libc_status();
	if (!failed)
		__magus_object(about);
	return failed;
}

/* 0, or -1 with errno; the names are any value. */
int uname(void *about)
{
	int failed = libc_status();
	if (!failed)
		__magus_object(about);
	return failed;
}

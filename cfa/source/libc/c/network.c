/* Directories and sockets: whether something succeeds, and what is read, is any of what POSIX allows. */

/* A new handle, or NULL with errno. */
void *opendir(const char *name)
{
	return libc_opened();
}

/* What readdir gives, and whose it is: entries of several directories are not told apart. */
static struct { unsigned long inode; long next; unsigned short size; unsigned char kind; char name[256]; } libc_entry;

static void *libc_directory;

/* NULL, perhaps with errno, or any entry, whose name ends. It is in one place, or, once another directory is read as well, somewhere. */
void *readdir(void *directory)
{
	size_t length = __magus_open_long();
	if (!__magus_int())
		return 0;
	if (libc_directory && libc_directory != directory)
		return __magus_unknown_pointer();
	libc_directory = directory;
	__magus_memory(&libc_entry, sizeof libc_entry);
	__magus_assume(length < sizeof libc_entry.name);
	libc_entry.name[length] = 0;
	return &libc_entry;
}

/* 0, or -1 with errno. */
int closedir(void *directory)
{
	if (libc_directory == directory)
		libc_directory = 0;
	return libc_status();
}

/* Changes nothing of the program's. */
void rewinddir(void *directory)
{
}

/* A number from 0 on that is not open, or -1 with errno. */
int socket(int domain, int type, int protocol)
{
	return libc_descriptor();
}

/* 0, with two new descriptors, or -1 with errno. */
int socketpair(int domain, int type, int protocol, int *ends)
{
	return libc_two_descriptors(ends);
}

/* 0, or -1 with errno. */
int bind(int fd, const void *address, unsigned size)
{
	return libc_status();
}

/* 0, or -1 with errno. */
int listen(int fd, int waiting)
{
	return libc_status();
}

/* 0, or -1 with errno. */
int connect(int fd, const void *address, unsigned size)
{
	return libc_status();
}

/* 0, or -1 with errno. */
int shutdown(int fd, int how)
{
	return libc_status();
}

/* 0, or -1 with errno. */
int setsockopt(int fd, int level, int name, const void *value, unsigned size)
{
	return libc_status();
}

/* 0, or -1 with errno, with any value of at most so many bytes. */
int getsockopt(int fd, int level, int name, void *value, unsigned *size)
{
	int failed = libc_status();
	if (!failed) {
		unsigned most = *size, now = __magus_open_int();
		__magus_assume(now <= most);
		__magus_memory(value, most);
		*size = now;
	}
	return failed;
}

/* An address of at most so many bytes; how many it has. */
static void libc_address(void *address, unsigned *size)
{
	if (address) {
		__magus_memory(address, *size);
		*size = __magus_open_int();
	}
}

/* A number from 0 on that is not open, or -1 with errno, with any address. */
int accept(int fd, void *address, unsigned *size)
{
	int n = libc_descriptor();
	if (n >= 0)
		libc_address(address, size);
	return n;
}

/* A number from 0 on that is not open, or -1 with errno, with any address. */
int accept4(int fd, void *address, unsigned *size, int flags)
{
	int n = libc_descriptor();
	if (n >= 0)
		libc_address(address, size);
	return n;
}

/* 0, or -1 with errno, with any address. */
int getsockname(int fd, void *address, unsigned *size)
{
	int failed = libc_status();
	if (!failed)
		libc_address(address, size);
	return failed;
}

/* 0, or -1 with errno, with any address. */
int getpeername(int fd, void *address, unsigned *size)
{
	int failed = libc_status();
	if (!failed)
		libc_address(address, size);
	return failed;
}

/* How many bytes were sent, up to n, or -1 with errno. */
ssize_t send(int fd, const void *p, size_t n, int flags)
{
	__magus_output(p, n);
	return libc_amount(n);
}

/* How many bytes were sent, up to n, or -1 with errno. */
ssize_t sendto(int fd, const void *p, size_t n, int flags, const void *address, unsigned size)
{
	__magus_output(p, n);
	return libc_amount(n);
}

/* How many bytes there are, up to n, or with MSG_TRUNC any number; or -1 with errno. */
static ssize_t libc_received(size_t n, int flags)
{
	if (!(flags & 0x20))
		return libc_amount(n);
	long got = __magus_long();
	__magus_assume(got >= -1);
	if (got < 0)
		*__errno_location() = __magus_error();
	return got;
}

/* How many bytes were received, up to n, or -1 with errno; with MSG_TRUNC how many there were. */
ssize_t recv(int fd, void *p, size_t n, int flags)
{
	ssize_t got = libc_received(n, flags);
	if (got > 0)
		__magus_memory(p, (size_t)got < n ? (size_t)got : n);
	return got;
}

/* As recv, with any address. */
ssize_t recvfrom(int fd, void *p, size_t n, int flags, void *address, unsigned *size)
{
	ssize_t got = libc_received(n, flags);
	if (got > 0)
		__magus_memory(p, (size_t)got < n ? (size_t)got : n);
	if (got >= 0)
		libc_address(address, size);
	return got;
}

/* As recv, into the parts that the message names, with any address and any further data. */
ssize_t recvmsg(int fd, void *message, int flags)
{
	struct {
		void *name;
		unsigned size;
		void *parts;
		size_t count;
		void *control;
		size_t length;
		int flags;
	} *m = message;
	ssize_t got = libc_received(libc_room(m->parts, m->count), flags);
	if (got < 0)
		return got;
	libc_scatter(m->parts, m->count, got);
	libc_address(m->name, &m->size);
	if (m->control) {
		size_t most = m->length, now = __magus_open_long();
		__magus_assume(now <= most);
		__magus_memory(m->control, most);
		m->length = now;
	}
	m->flags = __magus_int();
	return got;
}

/* 0, with any list of addresses, which is not empty, or any other number. */
int getaddrinfo(const char *node, const char *service, const void *hints, void *list)
{
	__magus_told("where it fails the address of the list stays what it is, as in common libraries");
	int failed = __magus_int();
	if (!failed) {
		void *first = __magus_pointer();
		__magus_assume(first != 0);
		*(void **)list = first;
	}
	return failed;
}

/* Changes nothing else of the program's. */
void freeaddrinfo(void *list)
{
	__magus_told("nothing looks whether the list is used afterwards");
}

/* The bytes the other way round. */
unsigned short htons(unsigned short n)
{
	return n >> 8 | n << 8;
}

/* The bytes the other way round. */
unsigned short ntohs(unsigned short n)
{
	return n >> 8 | n << 8;
}

/* The bytes the other way round. */
unsigned htonl(unsigned n)
{
	return n >> 24 | n >> 8 & 0xff00 | n << 8 & 0xff0000 | n << 24;
}

/* The bytes the other way round. */
unsigned ntohl(unsigned n)
{
	return n >> 24 | n >> 8 & 0xff00 | n << 8 & 0xff0000 | n << 24;
}

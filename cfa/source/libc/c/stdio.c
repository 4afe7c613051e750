/* Streams: whether something succeeds, and what is read, is any of what C allows. */

/* A new stream, or NULL with errno. */
void *fopen(const char *name, const char *mode)
{
	return libc_opened();
}

/* A new stream, which closes the descriptor, or NULL with errno. */
void *fdopen(int fd, const char *mode)
{
	void *stream = libc_opened();
	if (stream)
		libc_descriptor_closed(fd);
	return stream;
}

/* A new stream, or NULL with errno. */
void *tmpfile(void)
{
	return libc_opened();
}

/* A new stream, or NULL with errno. */
void *popen(const char *command, const char *mode)
{
	return libc_opened();
}

/* Any status of a command, or -1 with errno. */
int pclose(void *stream)
{
	__magus_closed(stream);
	return libc_number();
}

/* 0, or EOF with errno. */
int fclose(void *stream)
{
	__magus_closed(stream);
	return libc_done();
}

/* 0, or EOF with errno. */
int fflush(void *stream)
{
	return libc_done();
}

/* Any number. */
int feof(void *stream)
{
	return __magus_int();
}

/* Any number. */
int ferror(void *stream)
{
	return __magus_int();
}

/* Changes nothing of the program's. */
void clearerr(void *stream)
{
}

/* Changes nothing of the program's. */
void rewind(void *stream)
{
}

extern void *libc_numbered;

extern int libc_number_of;

/* A number from 0 on, or -1 with errno: the same as last time, if the stream is. */
int fileno(void *stream)
{
	int n = libc_number();
	__magus_assume(stream != libc_numbered || n == libc_number_of);
	libc_numbered = stream;
	libc_number_of = n;
	return n;
}

/* A character, or EOF: a number from -1 to 255. */
static int libc_character(void)
{
	int c = __magus_int();
	__magus_assume(c >= -1 && c <= 255);
	if (c < 0 && __magus_open_int())
		*__errno_location() = __magus_error();
	return c;
}

/* A character, or EOF. */
int fgetc(void *stream)
{
	return libc_character();
}

/* A character, or EOF. */
int getc(void *stream)
{
	return libc_character();
}

/* A character, or EOF. */
int getchar(void)
{
	return libc_character();
}

/* The character, or EOF. */
int ungetc(int c, void *stream)
{
	int ok = __magus_int();
	__magus_assume(ok == -1 || c != -1 && ok == (unsigned char)c);
	return ok;
}

/* Reads a text of less than n characters: s, or NULL. */
char *fgets(char *s, int n, void *stream)
{
	if (n <= 0)
		return 0;
	if (__magus_open_int()) {
		__magus_memory(s, n);
		long end = __magus_open_long();
		__magus_assume(end >= 0 && end < n);
		s[end] = 0;
		return s;
	}
	if (__magus_open_int()) {
		__magus_memory(s, n);
		*__errno_location() = __magus_error();
	}
	return 0;
}

/* How many of n elements: any number up to n, with errno perhaps where it is less. */
static size_t libc_elements(size_t n)
{
	size_t done = __magus_long();
	__magus_assume(done <= n);
	if (done < n && __magus_open_int())
		*__errno_location() = __magus_error();
	return done;
}

/* Reads up to n elements, perhaps a part of another one, and gives how many. */
size_t fread(void *p, size_t size, size_t n, void *stream)
{
	size_t got = libc_elements(n), part = 0;
	if (got < n) {
		part = __magus_open_long();
		__magus_assume(part == 0 || part < size);
	}
	__magus_memory(p, size * got + part);
	return got;
}

/* Writes up to n elements, and gives how many. */
size_t fwrite(const void *p, size_t size, size_t n, void *stream)
{
	__magus_output(p, size * n);
	return libc_elements(n);
}

/* 0, or -1 with errno. */
int fseek(void *stream, long offset, int from)
{
	return libc_status();
}

/* A number from 0 on, or -1 with errno. */
long ftell(void *stream)
{
	long n = __magus_long();
	__magus_assume(n >= -1);
	if (n < 0)
		*__errno_location() = __magus_error();
	return n;
}

/* 0, or -1 with errno. */
int remove(const char *name)
{
	return libc_status();
}

/* 0, or -1 with errno. */
int rename(const char *from, const char *to)
{
	return libc_status();
}

/* Any number. What the buffer holds is left open. */
int setvbuf(void *stream, char *buffer, int mode, size_t size)
{
	if (buffer) {
		__magus_told("nothing looks at the buffer");
		__magus_blur(buffer, size);
	}
	return __magus_int();
}

/* Reads a line into memory that it gets, or gets anew: how many characters, or -1. */
ssize_t getline(char **line, size_t *size, void *stream)
{
	__magus_told("memory that it gets is not looked for at the end");
	ssize_t n = __magus_long();
	__magus_assume(n >= 1 || n == -1);
	if (n < 0) {
		if (__magus_open_int())
			*__errno_location() = __magus_error();
		return n;
	}
	if (*line == 0 || *size <= (size_t)n) {
		*line = __magus_pointer();
		__magus_assume(*line != 0);
		*size = __magus_open_long();
		__magus_assume(*size > (size_t)n);
	}
	__magus_memory(*line, n);
	(*line)[n] = 0;
	return n;
}

/* How many characters, with the address of new memory that has them, or -1; what they are, no violation rests on. */
static int libc_printed(char **to)
{
	int n = __magus_printed();
	char *text = __magus_new((size_t)n + 1);
	if (!text) {
		*to = __magus_unknown_pointer();
		*__errno_location() = __magus_error();
		return -1;
	}
	__magus_blur(text, n);
	text[n] = 0;
	*to = text;
	return n;
}

/* How many characters, with the address of new memory that has them, or -1, when the address may be any. */
int asprintf(char **to, const char *format, ...)
{
	return libc_printed(to);
}

/* How many characters, with the address of new memory that has them, or -1, when the address may be any. */
int vasprintf(char **to, const char *format, void *values)
{
	__magus_told("its format stores no counts (%n)");
	return libc_printed(to);
}

#ifndef __MAGUS_STDIO_H
#define __MAGUS_STDIO_H
#include <stddef.h>
#include <stdarg.h>
#ifndef __MAGUS_OFF_T
#define __MAGUS_OFF_T
typedef __INTPTR_TYPE__ ssize_t;
typedef long off_t;
#endif
typedef struct __magus_file FILE;
typedef struct { long __pos; int __state[2]; } fpos_t;
extern FILE *stdin;
extern FILE *stdout;
extern FILE *stderr;
#define stdin stdin
#define stdout stdout
#define stderr stderr
#define EOF (-1)
#define BUFSIZ 8192
#define FILENAME_MAX 4096
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
extern int printf(const char *__format, ...);
extern int fprintf(FILE *__stream, const char *__format, ...);
extern int sprintf(char *__s, const char *__format, ...);
extern int snprintf(char *__s, size_t __n, const char *__format, ...);
extern int vprintf(const char *__format, va_list __ap);
extern int vfprintf(FILE *__stream, const char *__format, va_list __ap);
extern int vsprintf(char *__s, const char *__format, va_list __ap);
extern int vsnprintf(char *__s, size_t __n, const char *__format, va_list __ap);
extern int scanf(const char *__format, ...);
extern int fscanf(FILE *__stream, const char *__format, ...);
extern int sscanf(const char *__s, const char *__format, ...);
extern int getchar(void);
extern int getc(FILE *__stream);
extern int fgetc(FILE *__stream);
extern char *fgets(char *__s, int __n, FILE *__stream);
extern int ungetc(int __c, FILE *__stream);
extern int putchar(int __c);
extern int putc(int __c, FILE *__stream);
extern int fputc(int __c, FILE *__stream);
extern int puts(const char *__s);
extern int fputs(const char *__s, FILE *__stream);
extern void perror(const char *__s);
extern FILE *fopen(const char *__name, const char *__mode);
extern FILE *freopen(const char *__name, const char *__mode, FILE *__stream);
extern FILE *fdopen(int __fd, const char *__mode);
extern int fclose(FILE *__stream);
extern int fflush(FILE *__stream);
extern int feof(FILE *__stream);
extern int ferror(FILE *__stream);
extern void clearerr(FILE *__stream);
extern int fileno(FILE *__stream);
extern size_t fread(void *__ptr, size_t __size, size_t __n, FILE *__stream);
extern size_t fwrite(const void *__ptr, size_t __size, size_t __n, FILE *__stream);
extern int fseek(FILE *__stream, long __off, int __whence);
extern long ftell(FILE *__stream);
extern void rewind(FILE *__stream);
extern int remove(const char *__name);
extern int rename(const char *__old, const char *__new);
extern FILE *tmpfile(void);
extern int setvbuf(FILE *__stream, char *__buf, int __mode, size_t __size);
extern void setbuf(FILE *__stream, char *__buf);
#define L_tmpnam 20
#define TMP_MAX 238328
#define FOPEN_MAX 16
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2
#define P_tmpdir "/tmp"
extern int vscanf(const char *__format, va_list __ap);
extern int vfscanf(FILE *__stream, const char *__format, va_list __ap);
extern int vsscanf(const char *__s, const char *__format, va_list __ap);
extern char *gets(char *__s);
extern char *tmpnam(char *__s);
extern int fgetpos(FILE *__stream, fpos_t *__pos);
extern int fsetpos(FILE *__stream, const fpos_t *__pos);
extern int asprintf(char **__s, const char *__format, ...);
extern int vasprintf(char **__s, const char *__format, va_list __ap);
extern int dprintf(int __fd, const char *__format, ...);
extern int vdprintf(int __fd, const char *__format, va_list __ap);
extern __INTPTR_TYPE__ getline(char **__line, size_t *__n, FILE *__stream);
extern __INTPTR_TYPE__ getdelim(char **__line, size_t *__n, int __delim, FILE *__stream);
extern FILE *popen(const char *__command, const char *__mode);
extern int pclose(FILE *__stream);
extern FILE *fmemopen(void *__buf, size_t __size, const char *__mode);
extern FILE *open_memstream(char **__buf, size_t *__size);
extern int fseeko(FILE *__stream, long __off, int __whence);
extern long ftello(FILE *__stream);
extern void setbuffer(FILE *__stream, char *__buf, size_t __size);
extern void setlinebuf(FILE *__stream);
extern void flockfile(FILE *__stream);
extern int ftrylockfile(FILE *__stream);
extern void funlockfile(FILE *__stream);
extern int getc_unlocked(FILE *__stream);
extern int getchar_unlocked(void);
extern int putc_unlocked(int __c, FILE *__stream);
extern int putchar_unlocked(int __c);
extern int fputs_unlocked(const char *__s, FILE *__stream);
extern int getw(FILE *__stream);
extern int putw(int __w, FILE *__stream);
extern int renameat(int __olddir, const char *__old, int __newdir, const char *__new);
extern char *ctermid(char *__s);
#define RENAME_NOREPLACE 1
#define RENAME_EXCHANGE 2
#define RENAME_WHITEOUT 4
extern void clearerr_unlocked(FILE *__stream);
extern int feof_unlocked(FILE *__stream);
extern int ferror_unlocked(FILE *__stream);
extern int fflush_unlocked(FILE *__stream);
extern int fileno_unlocked(FILE *__stream);
extern int fgetc_unlocked(FILE *__stream);
extern int fputc_unlocked(int __c, FILE *__stream);
extern char *fgets_unlocked(char *__s, int __n, FILE *__stream);
extern size_t fread_unlocked(void *__buf, size_t __size, size_t __count, FILE *__stream);
extern size_t fwrite_unlocked(const void *__buf, size_t __size, size_t __count, FILE *__stream);
extern char *tempnam(const char *__dir, const char *__prefix);
extern FILE *fopen64(const char *__name, const char *__mode);
#endif

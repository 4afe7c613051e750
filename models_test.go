package magus_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"magus"
	"magus/cfa"
	"magus/cfa/source"
	"magus/cfa/source/libc"
	"magus/internal/sample"
)

// ofLibrary is the outcome for a program that calls functions of the C library.
func ofLibrary(t *testing.T, text string, model cfa.DataModel, opt magus.Options) *magus.Outcome {
	t.Helper()
	text = withHeaders(text)
	p, err := magus.Load(t.Context(), magus.Input{C: []source.Source{{Name: "p.c", Text: []byte(text)}},
		Options: source.Options{Model: model, Defines: []string{"__STDC_WANT_IEC_60559_TYPES_EXT__"}}})
	require.NoError(t, err, text)
	claim, err := p.Property(magus.Property{})
	require.NoError(t, err)
	opt.Loop.MaxIterations, opt.Loop.MaxStates = 60, 200_000
	outcome, err := magus.Check(t.Context(), claim, opt, nil)
	require.NoError(t, err, text)
	return outcome
}

// libraryHeaders are those that programs of tests may need.
var libraryHeaders = []string{
	"string.h", "strings.h", "stdlib.h", "stdio.h", "signal.h", "pthread.h", "time.h", "sys/time.h", "sys/stat.h",
	"fcntl.h", "termios.h", "errno.h", "unistd.h", "math.h", "dirent.h", "sys/socket.h", "netinet/in.h",
	"arpa/inet.h", "stdarg.h", "sys/wait.h", "sys/select.h", "sys/resource.h", "sys/utsname.h",
	"sys/uio.h", "poll.h",
}

const libraryPrelude = `extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);
extern int __VERIFIER_nondet_int(void);
`

// headerWords are the words of those headers, with the headers that have them.
var headerWords = sync.OnceValue(func() map[string][]int {
	in := map[string][]int{}
	for i, header := range libraryHeaders {
		text, _ := source.OwnText("<headers>/" + header)
		seen := map[string]bool{}
		for _, w := range regexp.MustCompile(`[A-Za-z_]\w*`).FindAllString(string(text), -1) {
			if !seen[w] {
				seen[w] = true
				in[w] = append(in[w], i)
			}
		}
	}
	return in
})

// withHeaders is a program behind the headers that have a name which it has and few others: to read all takes longer
// than to check it.
func withHeaders(program string) string {
	const few = 3
	in := headerWords()
	needed := map[int]bool{}
	for _, w := range regexp.MustCompile(`[A-Za-z_]\w*`).FindAllString(program, -1) {
		if len(in[w]) <= few {
			for _, i := range in[w] {
				needed[i] = true
			}
		}
	}
	var b strings.Builder
	for i, header := range libraryHeaders {
		if needed[i] {
			fmt.Fprintf(&b, "#include <%s>\n", header)
		}
	}
	return b.String() + libraryPrelude + program
}

// TestModels: what each model does, and does not do. X is a value that one of the
// two verdicts needs: the program with holds conforms, with fails it violates.
var modelCases = []struct{ functions, program, holds, fails string }{
	{"atexit", `static int n; static void a(void) { n = 10 * n + 1; } static void b(void) { n = 10 * n + 2; } static void end(void) { if (n != X) reach_error(); }
		int main(int argc, char **argv) { atexit(end); atexit(a); atexit(b); if (argc > 1) exit(3); return 0; }`, "21", "12"},
	{"atexit", `static void end(void) { reach_error(); } int main(void) { if (atexit(end) == 0) X(0); return 0; }`,
		"_exit", "exit"},
	{"readdir", `int main(void) { DIR *d = opendir("."); if (!d) return 1; struct dirent *e = readdir(d); ` +
		`if (e && e->d_type == X) reach_error(); closedir(d); return 0; }`, "256", "DT_DIR"},
	{"readdir", `int main(void) { DIR *d = opendir("a"); struct dirent *e; ` +
		`while (d && (e = readdir(d)) != 0) if (e->d_type == DT_REG && X) reach_error(); return 0; }`, "!e", "e"},
	{"localtime gmtime", `int main(void) { int n = 3; time_t t = time(0); struct tm *m = localtime(&t), ` +
		`*u = gmtime(&t); if (n != 3 || X) reach_error(); return 0; }`, "m && u && m != u", "!m"},
	{"localtime gmtime", `int main(void) { time_t t = time(0); struct tm *m = localtime(&t); ` +
		`if (m ? m->tm_mon < 0 || m->tm_mon > 11 || m->tm_mday < 1 || m->tm_mday > 31 || m->tm_sec > 60 || ` +
		`m->tm_wday > 6 || m->tm_yday > 365 || m->tm_hour > 23 || m->tm_min > 59 : X) reach_error(); return 0; }`, "0", "1"},
	{"strerror", `int main(void) { char *s = strerror(2); if (X) reach_error(); return 0; }`, "!s", "s[0] == 'N'"},
	{"strtod", `static int g = 3; int main(int argc, char **argv) { errno = 5; ` +
		`double d = strtod(argv[0], 0); if (g != 3 || X) reach_error(); return 0; }`,
		"errno != 5 && errno != ERANGE", "argc == 3"},
	{"strtof atof strtold", `int main(void) { char *e; float f = strtof(" 1.5x", &e); double d = atof("0.1"); ` +
		`if (f != 1.5f || *e != 'x' || strtold("0.1 ", &e) != 0.1L || *e != ' ' || d != X) reach_error(); return 0; }`,
		"0.1", "0.1f"},
	{"vsnprintf", `static int g = 3; static int text(char *b, const char *m, ...) { va_list a; va_start(a, m); int n = vsnprintf(b, 8, m, a); va_end(a); return n; }
		int main(int argc, char **argv) { char c[16]; c[9] = 'x'; text(c, "%d", 3); if (c[9] != 'x' || g != X) reach_error(); return 0; }`, "3", "4"},
	{"vsprintf vsnprintf", `static int text(char *b, const char *m, ...) { va_list a; va_start(a, m); int n = vsnprintf(b, 6, m, a); va_end(a); return n; }
		int main(void) { char c[16]; int n = text(c, "%d-%s", 42, "abcd"); if (n != 7 || c[4] != 'b' || c[5] != X) reach_error(); return 0; }`, "0", "'c'"},
	{"snprintf", `struct all { char m[12]; int t; char k[40]; int u; };
		int main(void) { const char *s = strerror(2); struct all *g = malloc(sizeof *g); if (!g) return 1; g->t = 4; g->u = 7;
		snprintf(g->m, sizeof g->m, "no: %s", s); snprintf(g->k, sizeof g->k, "not %s", s);
		if (g->t != 4 || g->u != X) reach_error(); return 0; }`, "7", "8"},
	{"__memcpy_chk __memmove_chk __memset_chk __mempcpy_chk __strcpy_chk __stpcpy_chk __strcat_chk", `
		void *__memcpy_chk(void *, const void *, size_t, size_t), *__memmove_chk(void *, const void *, size_t, size_t);
		void *__memset_chk(void *, int, size_t, size_t), *__mempcpy_chk(void *, const void *, size_t, size_t);
		char *__strcpy_chk(char *, const char *, size_t), *__stpcpy_chk(char *, const char *, size_t);
		char *__strcat_chk(char *, const char *, size_t);
		int main(int argc, char **argv) { char a[8], b[8]; __memcpy_chk(a, "abc", 4, 8); __memmove_chk(a + 1, a, 3, 7);
		char *m = __mempcpy_chk(b, "xy", 2, 8); __memset_chk(m, 0, 6, 6); __strcat_chk(b, "z", 8);
		char *e = __stpcpy_chk(b + 3, "w", 5); if (argc == 3) __strcpy_chk(b, "too long", 8);
		if (a[3] != 'c' || b[2] != 'z' || b[3] != 'w' || e != b + 4 || X) reach_error(); return 0; }`, "argc == 3", "argc == 4"},
	{"open creat dup close", `int main(void) { int a = open("a", 0), b = creat("b", 0), c = dup(a); ` +
		`if (a >= 0 && b >= 0 && c >= 0 && X) reach_error(); return 0; }`, "(a == b || a == c || b == c)",
		"(a != b && c == 7)"},
	{"open close", `int main(void) { int a = open("a", 0); close(a); int b = open("b", 0); ` +
		`if (a >= 0 && X) reach_error(); return 0; }`, "b < -1", "a == b"},
	{"open dup2", `int main(void) { int a = dup2(1, 9), b = open("b", 0); if (a >= 0 && b == X) reach_error(); ` +
		`return 0; }`, "9", "8"},
	{"open fdopen fclose", `int main(void) { int a = open("a", 0); FILE *f = fdopen(a, "r"); ` +
		`if (f) fclose(f); int b = open("b", 0); if (a >= 0 && a == b && X) reach_error(); return 0; }`, "!f", "f"},
	{"open", `extern void other(void); int main(void) { int a = open("a", 0); other(); ` +
		`int b = open("b", 0); if (a >= 0 && X) reach_error(); return 0; }`, "b < -1", "b == a + 1"},
	{"pipe pipe2 socketpair close", `int main(void) { int p[2] = { -5, -6 }, q[2], a = open("a", 0); if (pipe(p)) { if (p[0] != -5 || errno <= 0) reach_error(); return 1; }
		if (p[0] < 0 || p[1] < 0 || p[0] == p[1] || p[0] == a || p[1] == a) reach_error(); close(p[0]);
		if (pipe2(q, 0) == 0 && X) reach_error(); if (socketpair(AF_UNIX, SOCK_STREAM, 0, q) < -1) reach_error(); return 0; }`, "(q[0] == p[1] || q[1] == p[1])", "q[1] == p[0]"},
	{"dup3 accept4", `int main(void) { int a = dup3(1, 9, 0), b = open("b", 0); if (a >= 0 && (b == 9 || a != 9) || dup3(5, 5, 0) != -1) reach_error(); ` +
		`if (accept4(3, 0, 0, 0) < X) reach_error(); return 0; }`, "-1", "0"},
	{"getaddrinfo freeaddrinfo", `#include <netdb.h>
		int main(void) { int g = 3; struct addrinfo *l = 0; int e = getaddrinfo("a", 0, 0, &l); if (e ? l != 0 : l == 0) reach_error(); ` +
		`if (e) return 1; e = l->ai_family; freeaddrinfo(l); if (g != 3 || X) reach_error(); return 0; }`, "0", "e == 7"},
	{"posix_memalign", `int main(void) { void *p = 0; if (posix_memalign(&p, 24, 8) != EINVAL || p) reach_error(); int e = posix_memalign(&p, 16, 8); ` +
		`if (e < 0 || !e && !p) reach_error(); if (e) return 1; ((char *)p)[7] = 3; if (((char *)p)[7] != X) reach_error(); free(p); return 0; }`, "3", "4"},
	{"asprintf vasprintf", `static int g = 3; static int text(char **s, const char *m, ...) { va_list a; va_start(a, m); int n = vasprintf(s, m, a); va_end(a); return n; }
		int main(int argc, char **argv) { char *s, *t; int n = asprintf(&s, "%d-%s", argc > 1 ? 12 : 34, "ab"); if (n != -1 && n != X) reach_error(); if (n < 0) return 1;
		if (s[n]) reach_error(); free(s); n = text(&t, "%d", 3); if (n < -1 || g != 3) reach_error(); if (n >= 0) free(t); return 0; }`, "5", "4"},
	{"printf fprintf", `int main(int argc, char **argv) { int n = printf("%d-%s%%\n", argc > 1 ? 12 : 34, "ab"); ` +
		`if (n >= 0 && n != X) reach_error(); return 0; }`, "7", "6"},
	{"fprintf", `int main(void) { int n = fprintf(stderr, "%c%5d", 'a', 3); ` +
		`if (n != X && n >= 0) reach_error(); return 0; }`, "6", "2"},
	{"puts fputs", `int main(void) { int n = puts("a"), m = fputs("b", stdout); ` +
		`if (n < X || m < -1) reach_error(); return 0; }`, "-1", "0"},
	{"putchar putc fputc", `int main(int argc, char **argv) { ` +
		`int n = putchar(argc), m = fputc('a' + 256, stdout); if (m != -1 && m != X || n > 255) reach_error(); ` +
		`return 0; }`, "'a'", "'b'"},
	{"fread", `int main(void) { char b[4] = "xyz"; FILE *f = fopen("a", "r"); if (!f) return 0; ` +
		`unsigned long n = fread(b, 1, 3, f); if (n == 1 && X) reach_error(); return 0; }`, "b[1] != 'y'", "b[0] != 'x'"},
	{"rand random srand srandom",
		`int main(void) { srand(1); srandom(2); if (rand() < X || random() < 0) reach_error(); return 0; }`, "0", "1"},
	{"getenv setenv unsetenv", `int main(void) { char *s = getenv("HOME"); ` +
		`if (setenv("A", "b", 1) > 0 || unsetenv("A") > 0) reach_error(); if (X && s) reach_error(); return 0; }`, "0", "1"},
	{"system", `int main(void) { int g = 3; if (system("ls") == 7 && g != X) reach_error(); return 0; }`, "3", "4"},
	{"qsort", `static int calls; static int cmp(const void *a, const void *b) { const int *x = a, *y = b; calls = 1; return *x < *y ? -1 : *x > *y; }
		int main(void) { int t[3] = { 3, 1, 2 }; qsort(t, X, sizeof t[0], cmp); if (calls) reach_error(); return 0; }`, "1", "3"},
	{"bsearch", `static int cmp(const void *a, const void *b) { const int *x = a, *y = b; return *x < *y ? -1 : *x > *y; }
		int main(void) { static const int t[4] = { 1, 3, 5, 7 }; int k = X; int *p = bsearch(&k, t, 4, sizeof t[0], cmp); if (!p || *p != k) reach_error(); return 0; }`, "5", "6"},
	{"__ctype_b_loc", `extern const unsigned short **__ctype_b_loc(void);
		int main(void) { char c = __VERIFIER_nondet_char(); if (((*__ctype_b_loc())[(int)(c)] & 2048) && (c < '0' || c > X)) reach_error(); return 0; }`, "'9'", "'8'"},
	{"__ctype_tolower_loc __ctype_toupper_loc",
		`extern const int **__ctype_tolower_loc(void); extern const int **__ctype_toupper_loc(void);
		int main(void) { unsigned char c = __VERIFIER_nondet_char(); if ((*__ctype_tolower_loc())[c] != c && (*__ctype_toupper_loc())[c] != X) reach_error(); return 0; }`, "c", "c + 1"},
	{"pthread_mutex_lock pthread_mutex_trylock pthread_mutex_unlock pthread_mutex_destroy",
		`static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
		int main(void) { if (pthread_mutex_lock(&m)) reach_error(); if (pthread_mutex_trylock(&m) != EBUSY || pthread_mutex_destroy(&m) != EBUSY) reach_error();
		if (pthread_mutex_unlock(&m)) reach_error(); if (pthread_mutex_trylock(&m) != X) reach_error(); return 0; }`,
		"0", "EBUSY"},
	{"pthread_mutex_lock", `static pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP; int main(void) { pthread_mutex_lock(&m); if (pthread_mutex_lock(&m)) reach_error();
		pthread_mutex_unlock(&m); if (pthread_mutex_destroy(&m) != X) reach_error(); return 0; }`, "EBUSY", "0"},
	{"pthread_mutex_init pthread_mutexattr_init pthread_mutexattr_settype pthread_mutexattr_gettype " +
		"pthread_mutexattr_destroy", `int main(void) { pthread_mutex_t m; pthread_mutexattr_t a; int k;
		pthread_mutexattr_init(&a); if (pthread_mutexattr_settype(&a, 9) != EINVAL || pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK)) reach_error();
		pthread_mutexattr_gettype(&a, &k); if (k != PTHREAD_MUTEX_ERRORCHECK) reach_error(); pthread_mutex_init(&m, &a); pthread_mutexattr_destroy(&a);
		if (pthread_mutex_unlock(&m) != EPERM) reach_error(); pthread_mutex_lock(&m); if (pthread_mutex_lock(&m) != X) reach_error(); return 0; }`, "EDEADLK", "0"},
	{"pthread_mutex_lock", `static pthread_mutex_t m; int main(void) { pthread_mutex_lock(&m); ` +
		`if (X) pthread_mutex_lock(&m); reach_error(); return 0; }`, "1", "0"},
	{"pthread_key_create pthread_setspecific pthread_getspecific pthread_key_delete", `#include <pthread.h>
		static pthread_key_t k, l; static int n; static void f(void *p) { n += *(int *)p; if (n != X) reach_error(); }
		int main(void) { int two = 2; pthread_key_create(&k, f); pthread_key_create(&l, f); n += !pthread_getspecific(k); pthread_setspecific(k, &two); pthread_setspecific(l, &two);
		n += *(int *)pthread_getspecific(k); pthread_key_delete(l); pthread_exit(0); }`, "5", "3"},
	{"tss_create tss_set tss_get tss_delete", `#include <threads.h>
		static tss_t k; static int n; int main(void) { int two = 2; if (tss_create(&k, 0)) return 0; n += !tss_get(k); tss_set(k, &two); n += *(int *)tss_get(k); tss_delete(k); if (n != X) reach_error(); return 0; }`, "3", "2"},
	{"pthread_once", `static pthread_once_t o = PTHREAD_ONCE_INIT; static int n; static void f(void) { ` +
		`n++; } int main(void) { pthread_once(&o, f); pthread_once(&o, f); if (n != X) reach_error(); return 0; }`, "1", "2"},
	{"pthread_rwlock_init pthread_rwlock_destroy pthread_rwlock_rdlock pthread_rwlock_tryrdlock " +
		"pthread_rwlock_wrlock pthread_rwlock_trywrlock pthread_rwlock_unlock",
		`int main(void) { pthread_rwlock_t l; pthread_rwlock_init(&l, 0); pthread_rwlock_rdlock(&l); if (pthread_rwlock_tryrdlock(&l) || pthread_rwlock_trywrlock(&l) != EBUSY) reach_error();
		pthread_rwlock_unlock(&l); if (pthread_rwlock_destroy(&l) != EBUSY) reach_error(); pthread_rwlock_unlock(&l); pthread_rwlock_wrlock(&l);
		if (pthread_rwlock_rdlock(&l) != X) reach_error(); return 0; }`, "EDEADLK", "0"},
	{"pthread_spin_init pthread_spin_destroy pthread_spin_lock pthread_spin_trylock pthread_spin_unlock",
		`int main(void) { pthread_spinlock_t l; pthread_spin_init(&l, 0); pthread_spin_lock(&l); ` +
			`if (pthread_spin_trylock(&l) != X) reach_error(); pthread_spin_unlock(&l); ` +
			`if (pthread_spin_trylock(&l)) reach_error(); pthread_spin_destroy(&l); return 0; }`, "EBUSY", "0"},
	{"signal raise", `static int got; static void h(int s) { got = s; } int main(void) { signal(SIGUSR1, h); raise(SIGUSR1); if (got != SIGUSR1) reach_error(); signal(SIGINT, SIG_IGN); raise(SIGINT);
		if (signal(SIGUSR1, SIG_DFL) != h) reach_error(); if (signal(SIGKILL, h) != SIG_ERR || errno != EINVAL) reach_error(); if (X) raise(SIGUSR1); reach_error(); return 0; }`, "1", "0"},
	{"sigaction", `static int got; static void h(int s) { got = s; } int main(void) { struct sigaction a = { 0 }, b; a.sa_handler = h; if (sigaction(SIGUSR1, &a, 0)) reach_error(); raise(SIGUSR1); if (got != SIGUSR1) reach_error();
		sigaction(SIGUSR1, 0, &b); if (b.sa_handler != X) reach_error(); return 0; }`, "h", "SIG_DFL"},
	{"fopen fclose fdopen tmpfile popen pclose",
		`int main(void) { errno = 0; FILE *f = fopen("a", "r"), *g; if (!f) { if (errno <= 0) reach_error(); return 1; } g = tmpfile(); if (g == f) reach_error(); if (g && fclose(g) > 0) reach_error();
		f = fdopen(0, "r"); g = popen("ls", "r"); if (f && g && f == g) reach_error(); if (g && pclose(g) < X) reach_error(); return 0; }`, "-1", "0"},
	{"fgetc getc getchar ungetc",
		`int main(void) { int c = fgetc(stdin); if (c < EOF || getc(stdin) > 255 || getchar() < X) reach_error(); ` +
			`if (ungetc(c, stdin) != c && c == 7 && ungetc('a', stdin) == 'b') reach_error(); return 0; }`, "-1", "0"},
	{"fgets", `int main(void) { char b[8]; b[0] = 'x'; if (fgets(b, 4, stdin)) { ` +
		`if (b[0] && b[1] && b[2] && b[3]) reach_error(); if (X && b[0] == 'q') reach_error(); } return 0; }`, "0", "1"},
	{"fread fwrite", `int main(void) { char b[4] = "abc"; size_t n = fread(b, 1, 3, stdin); ` +
		`if (n > 3 || fwrite(b, 1, n, stdout) > n || b[3]) reach_error(); ` +
		`if (X && n && b[0] == 'q') reach_error(); return 0; }`, "0", "1"},
	{"fflush feof ferror clearerr rewind fileno fseek ftell remove rename setvbuf",
		`int main(void) { int x = 5; clearerr(stdin); rewind(stdin); if (fflush(stdout) > 0 || fileno(stdin) < -1 || fseek(stdin, 0, 0) > 0 || ftell(stdin) < -1 || remove("a") > 0 || rename("a", "b") > 0) reach_error();
		setvbuf(stdin, 0, 0, 0); if (x != 5) reach_error(); if (feof(stdin) == 1 && ferror(stdin) == 0 && X) reach_error(); return 0; }`, "0", "1"},
	{"time clock gettimeofday clock_gettime sleep usleep",
		`int main(void) { time_t t, u = time(&t); struct timeval v; struct timespec w; if (t != u) reach_error(); if (!gettimeofday(&v, 0) && (v.tv_usec < 0 || v.tv_usec > X)) reach_error();
		if (!clock_gettime(CLOCK_REALTIME, &w) && w.tv_nsec >= 1000000000) reach_error(); clock(); if (sleep(3) > 3 || usleep(1) > 0) reach_error(); return 0; }`, "999999", "999998"},
	{"open creat close read write lseek ftruncate fsync",
		`int main(void) { char b[4] = "abc"; int fd = open("a", O_RDONLY); if (fd < 0) { if (errno <= 0) reach_error(); return 1; } ssize_t n = read(fd, b, 2); if (n > 2 || b[2] != 'c' || n == 1 && b[1] != 'b') reach_error();
		if (write(fd, b, 2) > 2 || lseek(fd, 0, 0) < -1 || ftruncate(fd, 0) > 0 || fsync(fd) > 0 || creat("c", 0) < -1) reach_error(); if (close(fd) < X) reach_error(); return 0; }`, "-1", "0"},
	{"unlink rmdir mkdir chdir access chmod isatty dup dup2 getpid getppid getuid geteuid",
		`int main(void) { int x = 5; if (unlink("a") > 0 || rmdir("a") > 0 || mkdir("a", 0) > 0 || chdir("a") > 0 || access("a", 0) > 0 || chmod("a", 0) > 0) reach_error();
		int y = isatty(0); if (y != 0 && y != 1 || dup(0) < -1) reach_error(); y = dup2(0, 5); if (y != -1 && y != 5) reach_error(); getppid(); getuid(); geteuid(); if (x != 5 || getpid() < X) reach_error(); return 0; }`, "1", "2"},
	{"pread pwrite readlink wait waitpid select nanosleep rand_r", `int main(void) { char b[8] = "abc"; int st = 7; unsigned s = 1; struct timespec t = {1, 2};
		if (pread(0, b, 2, 0) > 2 || b[2] != 'c' || pwrite(1, b, 3, 0) > 3 || readlink("a", b, 1) > 1) reach_error();
		if (waitpid(-1, &st, 0) <= 0 && st != 7 || wait(&st) == 0) reach_error(); int w = waitpid(5, &st, 0);
		if (w != 5 && w != -1 || select(2, 0, 0, 0, 0) > 6) reach_error(); fd_set f; FD_ZERO(&f);
		if (select(1, &f, 0, 0, 0) < -1 || !nanosleep(&t, &t) && t.tv_nsec != X || rand_r(&s) < 0) reach_error(); return 0; }`, "2", "3"},
	{"fstatat getrlimit getrusage uname", `int main(void) { struct stat a; struct rlimit l = {1, 2}; struct rusage u; struct utsname n;
		if (fstatat(0, "a", &a, 0) > 0 || getrusage(0, &u) > 0 || uname(&n) > 0) reach_error();
		if (getrlimit(0, &l) && l.rlim_max != X) reach_error(); return 0; }`, "2", "3"},
	{"stat lstat fstat tcgetattr tcsetattr",
		`int main(void) { struct { struct stat s; int next; } a; struct termios t; a.next = 4; if (stat("a", &a.s) == 0 && lstat("a", &a.s) == 0 && fstat(0, &a.s) == 0 && a.next != 4) reach_error();
		a.s.st_uid = 3; if (tcgetattr(0, &t) > 0 || tcsetattr(0, 0, &t) > 0) reach_error(); if (stat("a", &a.s) == 0 && a.s.st_uid == 7 && X) reach_error(); return 0; }`, "0", "1"},
	{"strcmp", `int main(void) { char a[4]; a[0] = __VERIFIER_nondet_char(); a[1] = __VERIFIER_nondet_char(); ` +
		`a[2] = 0; if (strcmp(a, "ab") == 0 && a[1] != X) reach_error(); return 0; }`, "'b'", "'c'"},
	{"strtok strtok_r", `int main(void) { char b[8] = "a,b", *r; if (strtok(b, ",") != b || strtok(0, ",") != b + 2 || strtok(0, ",") != 0) reach_error();
		char d[8] = ",x"; if (strtok_r(d, ",", &r) != d + X) reach_error(); return 0; }`, "1", "0"},
	{"strdup strndup", `int main(void) { char *p = strdup("ab"); ` +
		`if (p && (p[0] != 'a' || p[2] != X)) reach_error(); return 0; }`, "0", "1"},
	{"getline", `int main(void) { char *line = 0; size_t size = 0; ssize_t n = getline(&line, &size, stdin); ` +
		`if (n == 0 || n < X) reach_error(); if (n > 0 && (!line || size <= n)) reach_error(); return 0; }`, "-1", "0"},
	{"pthread_cond_init pthread_cond_destroy pthread_cond_signal pthread_cond_broadcast pthread_cond_wait " +
		"pthread_cond_timedwait", `int main(void) { pthread_mutex_t m; pthread_cond_t c; struct timespec t = { 0 };
		pthread_mutex_init(&m, 0); pthread_cond_init(&c, 0); pthread_mutex_lock(&m); if (pthread_cond_wait(&c, &m) || pthread_mutex_trylock(&m) != EBUSY) reach_error(); int r = pthread_cond_timedwait(&c, &m, &t);
		if (r != 0 && r != X || pthread_cond_signal(&c) || pthread_cond_broadcast(&c) || pthread_cond_destroy(&c)) reach_error(); return 0; }`, "ETIMEDOUT", "EBUSY"},
	{"strftime difftime", `int main(void) { struct { char b[8]; int next; } a; struct tm t = { 0 }; ` +
		`a.next = 4; difftime(1, 2); strftime(a.b, 8, "%Y", &t); if (a.next != X) reach_error(); return 0; }`, "4", "5"},
	{"opendir closedir rewinddir", `int main(void) { int g = 3; DIR *d = opendir("."); if (!d) { ` +
		`if (errno <= 0) reach_error(); return 1; } rewinddir(d); if (closedir(d) > 0 || g != X) reach_error(); ` +
		`return 0; }`, "3", "4"},
	{"socket bind listen connect shutdown setsockopt send sendto",
		`int main(void) { struct sockaddr_in a = { 0 }; char b[4] = "abc"; int on = 1, fd = socket(AF_INET, SOCK_STREAM, 0); if (fd < 0) { if (errno <= 0) reach_error(); return 1; }
		if (setsockopt(fd, 1, 2, &on, sizeof on) > 0 || bind(fd, (void *)&a, sizeof a) > 0 || listen(fd, 5) > 0 || connect(fd, (void *)&a, sizeof a) > 0 || send(fd, b, 3, 0) > 3 || sendto(fd, b, 3, 0, (void *)&a, sizeof a) > 3) reach_error();
		if (on != 1 || b[0] != X || shutdown(fd, 2) > 0) reach_error(); return 0; }`, "'a'", "'b'"},
	{"accept getsockname getpeername getsockopt recv recvfrom",
		`int main(void) { struct sockaddr_in a = { 0 }; socklen_t n = sizeof a; char b[4] = "abc"; int on = 1; socklen_t m = sizeof on; if (accept(3, 0, 0) < -1 || accept(3, (void *)&a, &n) < -1) reach_error();
		n = sizeof a; if (getsockname(3, (void *)&a, &n) > 0) reach_error(); n = sizeof a; if (getpeername(3, (void *)&a, &n) > 0 || getsockopt(3, 1, 2, &on, &m) > 0) reach_error();
		if (recv(3, b, 2, 0) > 2 || recvfrom(3, b, 2, 0, 0, 0) > 2 || b[2] != 'c') reach_error(); if (X && b[0] == 'q') reach_error(); return 0; }`, "0", "1"},
	{"readv preadv recvmsg",
		`int main(void) { char b[4] = "abc", c[4] = "def"; struct iovec v[2] = { { b, 2 }, { c, 1 } };
		long n = readv(3, v, 2); if (n > 3 || n < -1 || b[2] != 'c' || c[1] != 'e' || n < 2 && c[0] != 'd') reach_error();
		if (readv(3, v, -1) != -1 || errno != 22 || preadv(3, v, 2, 8) > 3 || c[2] != 'f') reach_error();
		struct msghdr m = { 0 }; m.msg_iov = v; m.msg_iovlen = 1; if (recvmsg(3, &m, 0) > 2 || b[3]) reach_error();
		if (recvmsg(3, &m, MSG_TRUNC) == 9 && X || m.msg_iov != v) reach_error(); return 0; }`, "0", "1"},
	{"poll ppoll",
		`int main(void) { struct pollfd p[2] = { { 4, POLLIN, 7 }, { -1, POLLIN, 7 } }; int n = poll(p, 2, 9);
		if (n > 1 || n < -1 || n == 1 && !p[0].revents || p[0].fd != 4 || p[0].events != POLLIN) reach_error();
		if (p[0].revents & POLLOUT && p[0].revents != 7 || n >= 0 && p[1].revents) reach_error();
		p[0].events = 0; if (ppoll(p, 1, 0, 0) == 1 && p[0].revents == POLLHUP && X) reach_error(); return 0; }`, "0", "1"},
	{"getcwd",
		`int main(void) { char b[4] = { 1, 1, 1, 1 }; char *p = getcwd(b, 3); if (p && p != b || b[3] != 1) reach_error();
		if (p && (strlen(b) > 2 || b[0] != '/') || p && X && b[1] == 'q' || getcwd(b, 1)) reach_error();
		return 0; }`, "0", "1"},
	{"acos asin atan cos sin tan acosh asinh atanh cosh sinh tanh exp exp2 expm1 log log10 log2 log1p " +
		"sqrt cbrt ceil floor fabs round trunc rint nearbyint atan2 pow fmod hypot fmin fmax copysign ldexp frexp modf",
		`int main(void) { int e; double w; ` +
			`if (sqrt(4) != 2 || pow(2, 0) != 1 || fmod(3, 2) != 1 || frexp(3, &e) != 0.75 || modf(3.5, ` +
			`&w) != 0.5 || floor(w + 0.5) != X) reach_error(); return 0; }`, "3", "4"},
	{"scalbn scalbln ilogb logb nextafter",
		`int main(void) { if (scalbn(1.5, 2) != 6 || scalbln(1.5, 2) != 6 || ilogb(6.0) != 2 || logb(6.0) ` +
			`!= X || nextafter(1.0, 2.0) <= 1.0) reach_error(); return 0; }`, "2", "3"},
	{"frexpf ldexpf scalbnf scalblnf modff ilogbf logbf nextafterf",
		`int main(void) { int e; float w; if (frexpf(6.0f, &e) != 0.75f || e != 3 || ldexpf(0.75f, 3) != 6.0f || scalbnf(1.5f, 2) != 6.0f || scalblnf(1.5f, 2) != 6.0f
		|| modff(-3.5f, &w) != -0.5f || w != -3.0f || ilogbf(6.0f) != 2 || logbf(6.0f) != X || nextafterf(1.0f, 2.0f) <= 1.0f) reach_error(); return 0; }`, "2", "3"},
	{"frexpl ldexpl scalbnl scalblnl modfl ilogbl logbl nextafterl",
		`int main(void) { int e; long double w; if (frexpl(6.0L, &e) != 0.75L || e != 3 || ldexpl(0.75L, 3) != 6.0L || scalbnl(1.5L, 2) != 6.0L || scalblnl(1.5L, 2) != 6.0L
		|| modfl(-3.5L, &w) != -0.5L || w != -3.0L || ilogbl(6.0L) != 2 || logbl(6.0L) != X || nextafterl(1.0L, 2.0L) <= 1.0L) reach_error(); return 0; }`, "2", "3"},
	{"acosf acoshf asinf asinhf atan2f atanf atanhf cbrtf cosf coshf exp2f expf expm1f hypotf log10f " +
		"log1pf log2f logf powf sinf sinhf tanf tanhf erf erff", `int main(void) {
		if (acosf(1) + acoshf(1) + asinf(0) + asinhf(0) + atanf(0) + atanhf(0) + cbrtf(0) + expm1f(0) + log10f(1) + log1pf(0) + log2f(1) + logf(1) + sinf(0) + sinhf(0) + tanf(0) + tanhf(0) + erf(0) + erff(0) != 0) reach_error();
		if (cosf(0) != 1 || coshf(0) != 1 || exp2f(0) != 1 || expf(0) != 1 || powf(2, 0) != 1 || hypotf(1.0f / 0, 0) != 1.0f / 0 || X) reach_error(); return atan2f(1, 2) > 4; }`, "0", "1"},
	{"acosl acoshl asinhl asinl atan2l atanhl atanl cbrtl coshl cosl exp2l expl expm1l hypotl log10l log1pl log2l logl " +
		"powl sinhl sinl tanhl tanl erfl", `int main(void) {
		if (acosl(1) + acoshl(1) + asinl(0) + asinhl(0) + atanl(0) + atanhl(0) + cbrtl(0) + expm1l(0) + log10l(1) + log1pl(0) + log2l(1) + logl(1) + sinl(0) + sinhl(0) + tanl(0) + tanhl(0) + erfl(0) != 0) reach_error();
		if (cosl(0) != 1 || coshl(0) != 1 || exp2l(0) != 1 || expl(0) != 1 || powl(2, 0) != 1 || hypotl(1.0L / 0, 0) != 1.0L / 0 || X) reach_error(); return atan2l(1, 2) > 4; }`, "0", "1"},
	{"frexpf128 ldexpf128 scalbnf128 scalblnf128 modff128 ilogbf128 logbf128 nextafterf128 nexttowardl strtof128",
		`int main(void) { int e; _Float128 w; if (frexpf128(6.0q, &e) != 0.75q || e != 3 ||
		ldexpf128(0.75q, 3) != 6.0q || scalbnf128(1.5q, 2) != 6.0q || scalblnf128(1.5q, 2) != 6.0q
		|| modff128(-3.5q, &w) != -0.5q || w != -3.0q || ilogbf128(6.0q) != 2 || logbf128(6.0q) != X ||
		nextafterf128(1.0q, 2.0q) - 1 != 0x1p-112q
		|| nexttowardl(1.0L, 2.0L) <= 1.0L || strtof128("0.1", 0) != 0.1q) reach_error(); return 0; }`, "2", "3"},
	{"acosf128 acoshf128 asinhf128 asinf128 atan2f128 atanhf128 atanf128 cbrtf128 coshf128 cosf128 exp2f128 expf128 expm1f128 " +
		"hypotf128 log10f128 log1pf128 log2f128 logf128 powf128 sinhf128 sinf128 tanhf128 tanf128 erff128 erfcf128 lgammaf128 tgammaf128", `int main(void) {
		if (acosf128(1) + acoshf128(1) + asinf128(0) + asinhf128(0) + atanf128(0) + atanhf128(0) + cbrtf128(0) +
		expm1f128(0) + log10f128(1) + log1pf128(0) + log2f128(1) + logf128(1) + sinf128(0) + sinhf128(0) +
		tanf128(0) + tanhf128(0) + erff128(0) != 0) reach_error();
		if (cosf128(0) != 1 || coshf128(0) != 1 || exp2f128(0) != 1 || expf128(0) != 1 || powf128(2, 0) != 1 ||
		hypotf128(1.0q / 0, 0) != 1.0q / 0 || X) reach_error();
		return atan2f128(1, 2) > 4 || erfcf128(2) > 2 || lgammaf128(2) == tgammaf128(2); }`, "0", "1"},
	{"nexttoward nexttowardf div ldiv lldiv", `int main(void) { double a = nexttoward(1.0, 2.0L), b = nexttoward(0.0, -1.0L); float c = nexttowardf(1.0f, 0.0L);
		div_t d = div(-7, 2); ldiv_t e = ldiv(9L, -4L); lldiv_t f = lldiv(8LL, 3LL);
		if (a - 1 != 0x1p-52 || b != -0x1p-1074 || c != 0x1.fffffep-1f || d.quot != -3 || d.rem != -1 || e.quot != -2 || e.rem != 1 || f.rem != X) reach_error(); return 0; }`, "2", "1"},
	{"fmodl remainderl remquo remquof", `int main(void) { int p = 0, q = 0;
		if (fmodl(7, 2) != 1 || remainderl(7, 2) != -1 || remquo(7, 2, &p) != -1 || remquof(5, 2, &q) != 1 || p != 4 || q != 2 || X) reach_error(); return p + q; }`, "0", "1"},
	{"erfc erfcf erfcl lgamma lgammaf lgammal tgamma tgammaf tgammal",
		`int main(void) { if (X) reach_error(); return erfc(0.5) + erfcf(0.5f) + erfcl(0.5L) + lgamma(2.5) + lgammaf(2.5f) ` +
			`+ lgammal(2.5L) + tgamma(2.5) + tgammaf(2.5f) + tgammal(2.5L) > 3; }`, "0", "1"},
	{"feclearexcept fegetenv fegetround feholdexcept feraiseexcept fesetenv fesetround fetestexcept feupdateenv",
		`#include <fenv.h>
		int main(void) { fenv_t v; double one = 1, three = 3, down, up; if (fesetround(FE_DOWNWARD)) return 0; down = one / three; fesetround(FE_UPWARD); up = one / three;
		if (!(down < up) || fegetround() != FE_UPWARD || X) reach_error(); fegetenv(&v); fesetround(FE_DOWNWARD); fesetenv(&v); if (fegetround() != FE_UPWARD) reach_error(); feholdexcept(&v); feclearexcept(FE_ALL_EXCEPT); feraiseexcept(FE_INEXACT); fetestexcept(FE_INEXACT); fesetenv(&v); feupdateenv(&v); return 0; }`, "0", "1"},
	{"mtx_init mtx_lock mtx_trylock mtx_timedlock mtx_unlock mtx_destroy", `#include <threads.h>
		int main(void) { mtx_t m; int n = 0; if (mtx_init(&m, mtx_plain) != thrd_success || mtx_lock(&m) != thrd_success) return 0; n += mtx_trylock(&m) == thrd_busy; mtx_unlock(&m);
		if (mtx_trylock(&m) == thrd_busy) return 0; n++; n += mtx_timedlock(&m, 0) == thrd_timedout; mtx_unlock(&m); mtx_destroy(&m); if (n != X) reach_error(); return 0; }`, "3", "2"},
	{"cnd_init cnd_wait cnd_timedwait cnd_signal cnd_broadcast cnd_destroy thrd_yield thrd_equal", `#include <threads.h>
		int main(void) { mtx_t m; cnd_t c; int n = 0; if (mtx_init(&m, mtx_plain) || cnd_init(&c)) return 0; cnd_signal(&c); cnd_broadcast(&c); thrd_yield(); mtx_lock(&m);
		n += cnd_wait(&c, &m) == thrd_success; int t = cnd_timedwait(&c, &m, 0); n += t == thrd_success || t == thrd_timedout; n += mtx_trylock(&m) == thrd_busy; n += thrd_equal(3, 3) && !thrd_equal(3, 4);
		mtx_unlock(&m); cnd_destroy(&c); if (n != X) reach_error(); return 0; }`, "4", "3"},
	{"pthread_attr_init pthread_attr_destroy pthread_attr_setdetachstate pthread_attr_setinheritsched " +
		"pthread_attr_setschedpolicy pthread_attr_setscope pthread_attr_setstacksize pthread_condattr_init " +
		"pthread_condattr_destroy pthread_condattr_setpshared pthread_mutexattr_setprotocol " +
		"pthread_mutexattr_setpshared pthread_equal", `#include <pthread.h>
		int main(void) { int n = 7; pthread_attr_t a; pthread_condattr_t c; pthread_mutexattr_t m; pthread_mutexattr_init(&m);
		if (pthread_attr_init(&a) || pthread_attr_setdetachstate(&a, 0) || pthread_attr_setinheritsched(&a, 0) || pthread_attr_setschedpolicy(&a, 0) || pthread_attr_setscope(&a, 0) || pthread_attr_setstacksize(&a, 65536)) reach_error();
		if (pthread_attr_destroy(&a) || pthread_condattr_init(&c) || pthread_condattr_setpshared(&c, 0) || pthread_condattr_destroy(&c) || pthread_mutexattr_setprotocol(&m, 0) || pthread_mutexattr_setpshared(&m, 0)) reach_error();
		pthread_t t = pthread_self(); if (!pthread_equal(t, t) || n != X) reach_error(); return 0; }`, "7", "8"},
	{"pthread_barrier_init pthread_barrier_wait pthread_barrier_destroy pthread_mutex_timedlock", `#include <pthread.h>
		int main(void) { int n = 0; pthread_barrier_t b; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; n += pthread_barrier_init(&b, 0, 0) == EINVAL; if (pthread_barrier_init(&b, 0, 1)) reach_error();
		n += pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD; n += pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD; pthread_barrier_destroy(&b);
		n += pthread_mutex_timedlock(&m, 0) == 0; if (n != X) reach_error(); return 0; }`, "4", "3"},
	{"sem_init sem_wait sem_trywait sem_timedwait sem_post sem_getvalue sem_destroy", `#include <semaphore.h>
		int main(void) { sem_t s; int n = 0, v; if (sem_init(&s, 0, 1)) reach_error(); n += sem_wait(&s) == 0; n += sem_trywait(&s) == -1 && errno == EAGAIN; n += sem_timedwait(&s, 0) == -1 && errno == ETIMEDOUT;
		sem_post(&s); sem_post(&s); sem_getvalue(&s, &v); n += v; n += sem_trywait(&s) == 0; n += sem_timedwait(&s, 0) == 0; sem_destroy(&s); if (n != X) reach_error(); return 0; }`, "7", "6"},
	{"thrd_detach pthread_detach", `#include <threads.h>
		int pthread_detach(unsigned long); int main(void) { int n = 2; if (thrd_detach(3) != thrd_success || pthread_detach(3)) reach_error(); if (n != X) reach_error(); return 0; }`, "2", "3"},
	{"call_once", `#include <threads.h>
		once_flag o = ONCE_FLAG_INIT; int g; void count(void) { g++; } int main(void) { call_once(&o, count); call_once(&o, count); if (g != X) reach_error(); return 0; }`, "1", "2"},
	{"strcmp", `int main(void) { if (strcmp("b", "a") < X) reach_error(); return 0; }`, "1", "2"},
	{"scanf", `int main(void) { int n = 5, k = 0; char b[8] = "abcdefg"; double d; long long q = 3; int r = scanf("%d%n %3s %*d %lf %Ld", &n, &k, b, &d, &q); if (r < -1 || r > 4) reach_error();
		if (r < 1 && n != 5 || r < 2 && b[0] != 'a' || r < 4 && q != 3) reach_error(); if (r == 2 && (b[4] != 'e' || b[0] && b[1] && b[2] && b[3])) reach_error(); if (r == X && n == 77 && q == 3) reach_error(); return 0; }`, "5", "2"},
	{"fscanf", `int main(void) { short h = 1, i = 2; char c[3] = "xy"; ` +
		`int r = fscanf(stdin, "%hd%%%2c", &h, c); ` +
		`if (i != 2 || c[2] || r < 2 && c[0] != 'x' || r == 0 && h != 1) reach_error(); ` +
		`if (r == X && c[1] == 'q') reach_error(); return 0; }`, "3", "2"},
	{"fscanf", `int main(void) { char w[6] = "aaaaa"; ` +
		`if (fscanf(stdin, "%4[^]x]", w) == 1 && w[0] && w[1] && w[2] && w[3] && w[4]) reach_error(); ` +
		`if (w[5]) reach_error(); if (w[1] == 'b' && X) reach_error(); return 0; }`, "0", "1"},
	{"mempcpy", `int main(void) { char a[4] = "abc", b[8] = "zzzzzzz", *e = mempcpy(b, a, 2); ` +
		`if (e != b + X || b[1] != 'b' || b[2] != 'z') reach_error(); return 0; }`, "2", "1"},
	{"memcpy memset", `int main(void) { char a[8] = "abcdefg", b[8] = "zzzzzzz"; unsigned n = __VERIFIER_nondet_int(); if (n > 7) return 0; memcpy(b, a, n); if (n > 2 && b[2] != 'c' || n < 3 && b[2] != 'z') reach_error();
		memset(a + 1, 'q', n); if (a[0] != 'a' || n > 1 && a[2] != 'q' || n < 2 && a[2] != X) reach_error(); return 0; }`,
		"'c'", "'q'"},
	{"memmove", `int main(void) { short a[4] = { 1, 2, 3, 4 }; unsigned n = __VERIFIER_nondet_int(); ` +
		`if (n > 3) return 0; memmove(a + 1, a, n * sizeof *a); ` +
		`if (a[0] != 1 || n == 2 && (a[2] != 2 || a[3] != X)) reach_error(); return 0; }`, "4", "3"},
	// What has one answer at each call has it at the second one.
	{"getpid getpagesize fileno",
		`int main(void) { if (getpid() != getpid() || getpagesize() != getpagesize() || fileno(stdin) != ` +
			`fileno(stdin)) reach_error(); if (getpid() == X) reach_error(); return 0; }`, "-3", "3"},
	{"getuid geteuid setuid seteuid", `int main(void) { unsigned u = getuid(), e = geteuid(); ` +
		`if (seteuid(e) == 0 && geteuid() != e || u != getuid()) reach_error(); setuid(5); ` +
		`if (getuid() != u && getuid() != X) reach_error(); return 0; }`, "5", "6"},
	{"getgid getegid setgid setegid", `int main(void) { unsigned g = getgid(), e = getegid(); ` +
		`if (setegid(e) == 0 && getegid() != e || g != getgid()) reach_error(); setgid(5); ` +
		`if (getgid() != g && getgid() != X) reach_error(); return 0; }`, "5", "6"},
	{"fork", `int main(void) { int p = getpid(), c = fork(); ` +
		`if (c < -1 || c == p || (getpid() == p) == (c == X)) reach_error(); return 0; }`, "0", "1"},
	{"pthread_self", `int main(void) { pthread_t t = pthread_self(); ` +
		`if (!pthread_equal(t, pthread_self()) || t != pthread_self() + X) reach_error(); return 0; }`, "0", "1"},
	{"thrd_current", `#include <threads.h>
		int main(void) { thrd_t t = thrd_current(); if (!thrd_equal(t, thrd_current()) || t != thrd_current() + X) reach_error(); return 0; }`, "0", "1"},
}

// What a function gives that has one answer for what it is asked is any value to a proof only:
// no violation rests on two calls that differ.
func TestAnswersThatMayBeTheSame(t *testing.T) {
	for _, body := range []string{
		`srand(1); int a = rand(); srand(1); if (a != rand()) reach_error();`,
		`long a = random(); srandom(1); if (a != random()) reach_error();`,
		`if (getenv("A") && !getenv("A")) reach_error();`,
		`if (setenv("A", "b", 1) == 0 && !getenv("A")) reach_error();`,
		`extern void other(void); int p = getpid(); other(); if (getpid() != p) reach_error();`,
	} {
		o := ofLibrary(t, "int main(void) { "+body+" return 0; }", cfa.LP64, magus.Options{})
		require.Equal(t, magus.Unknown, o.Verdict, body)
	}
	o := ofLibrary(t, `int main(void) { srand(1); if (rand() == 7 && random() == 7 && getenv("A")) reach_error(); `+
		`return 0; }`, cfa.LP64, magus.Options{})
	require.Equal(t, magus.Violates, o.Verdict, "the first answers are any")
}

// modelsOf are the data models that case i of a table is looked at with: one case in eight with the narrow one too.
func modelsOf(i int) []cfa.DataModel {
	if i%8 != 0 {
		return []cfa.DataModel{cfa.LP64}
	}
	return []cfa.DataModel{cfa.LP64, cfa.ILP32}
}

// reFloat finds programs that compute with floating point.
var reFloat = regexp.MustCompile(`\b(double|float|scalbn|erfc)\b`)

func TestModels(t *testing.T) {
	for i, c := range modelCases {
		if sample.LeftOut(i, 24) {
			continue // nothing in a model's case runs side by side with another
		}
		t.Run(fmt.Sprintf("%d %.30s", i, c.functions), func(t *testing.T) {
			for _, model := range modelsOf(i) {
				if model == cfa.ILP32 && reFloat.MatchString(c.program) {
					continue // floating point is any value there
				}
				for want, x := range map[magus.Verdict]string{magus.Conforms: c.holds, magus.Violates: c.fails} {
					text := "#define X " + x + "\n" + c.program
					o := ofLibrary(t, text, model, magus.Options{})
					require.Equal(t, want, o.Verdict, "%v X %s: %v\n%s", model, x, o.Reason, c.program)
				}
			}
		})
	}
}

// TestTextsSayOneThing: what a text from outside says, a violation may rest on, and it says the same
// whoever reads it: with one value of X there is such a text, with the other there is none.
func TestTextsSayOneThing(t *testing.T) {
	sample.Long(t)
	for i, c := range []struct{ program, some, none string }{
		{`if (argc == 2 && atoi(argv[1]) == 30 && X) reach_error();`, "argv[1][0] == '3'", "argv[1][0] == '4'"},
		{`if (argc == 2 && atoi(argv[1]) == -3 && strlen(argv[1]) == X) reach_error();`, "2", "1"},
		{`if (argc != 2) return 1; char *end; long n = strtol(argv[1], &end, 10); ` +
			`if (n == 12 && end == argv[1] + X) reach_error();`, "2", "1"},
		{`if (argc != 2) return 1; char *end; long n = strtol(argv[1], &end, 10); ` +
			`if (n == 12 && *end == X) reach_error();`, "", "'7'"},
		{`int a = 0, b = 0; if (argc != 3) return 1; sscanf(argv[1], "%d", &a); sscanf(argv[X], "%d", &b); ` +
			`if (a == 3 && b == 4) reach_error();`, "2", "1"},
		{`int a = 0, b = 0; if (argc == 2 && sscanf(argv[1], "%d%d", &a, &b) == X && a == 3 && b == -4) ` +
			`reach_error();`, "2", "1"},
		{`int a = 0; if (argc != 2) return 1; sscanf(argv[1], "%d", &a); argv[1][0] = 'x'; ` +
			`if (a == 3 && atoi(argv[1]) == X) reach_error();`, "", "3"},
		{`char b[100]; if (!fgets(b, 100, stdin)) return 1; if (atoi(b) == 7 && b[0] == X) reach_error();`, "'7'", "'8'"},
		{`char b[100]; if (!fgets(b, 100, stdin)) return 1; b[0] = '8'; if (atoi(b) == X) reach_error();`, "8", "7"},
		{`char *b = malloc(argc); if (!b) return 1; b[0] = 0; if (atoi(b) == X) reach_error();`, "", "1"},
		{`char b[100]; if (!fgets(b, 100, stdin)) return 1; ` +
			`if (argc == 3 && strcmp(argv[1], b) == 0 && argv[1][0] == 'a' && b[0] == X) reach_error();`, "'a'", "'b'"},
		{`char b[100]; if (!fgets(b, 100, stdin)) return 1; ` +
			`if (argc == 3 && argv[1][0] == 'a' && b[0] == X && strcmp(argv[1], b) < 0) reach_error();`, "'b'", "'A'"},
		{`char b[100]; if (!fgets(b, 100, stdin)) return 1; ` +
			`if (argc == 3 && strncmp(argv[1], b, argc) > 0 && argv[1][0] == 'b' && b[0] == X) reach_error();`, "'a'", "'c'"},
		{`char b[100]; if (!fgets(b, 100, stdin)) return 1; ` +
			`if (argc == 3 && strcasecmp(argv[1], b) == 0 && argv[1][0] == 'a' && b[0] == X) reach_error();`, "'A'", "'B'"},
		{`char b[100]; if (!fgets(b, 100, stdin)) return 1; ` +
			`if (argc == 3 && strncasecmp(argv[1], b, argc) > 0 && argv[1][0] == 'b' && b[0] == X) reach_error();`,
			"'A'", "'C'"},
		{`char b[100]; if (!fgets(b, 100, stdin)) return 1; ` +
			`if (argc == 3 && strcoll(argv[1], b) == 0 && argv[1][0] == X) reach_error();`, "b[0]", "b[0] + 1"},
		{`char b[100]; if (!fgets(b, 100, stdin)) return 1; ` +
			`if (argc == 3 && argv[1][0] == 'a' && memcmp(argv[1], b, (argc - 1) / 2) == 0 && b[0] == X) reach_error();`,
			"'a'", "'b'"},
		{`if (argc != 2) return 1; char *p = strchr(argv[1], '='); ` +
			`if (p && p == argv[1] + X && argv[1][0] == '=') reach_error();`, "0", "1"},
		{`if (argc != 2) return 1; char *p = strchr(argv[1], '='); if (!p && argv[1][0] == X) reach_error();`, "0", "'='"},
		{`if (argc < 3) return 1; char *p = memchr(argv[1], 'x', argc); ` +
			`if (p == argv[1] + 2 && argv[1][1] == X) reach_error();`, "'y'", "'x'"},
		{`if (argc < 3) return 1; char *p = memchr(argv[1], 'x', argc); if (p && *p == X) reach_error();`, "'x'", "'y'"},
		{`char b[100]; if (!fgets(b, 100, stdin)) return 1; char *p = strrchr(b, '/'); ` +
			`if (p && p == b + 1 && b[X] == '/') reach_error();`, "0", "2"},
		{`char b[100]; if (!fgets(b, 100, stdin)) return 1; if (strstr(b, "ab") == b + 1 && b[2] == X) reach_error();`,
			"'b'", "'a'"},
		{`char b[100]; if (!fgets(b, 100, stdin)) return 1; if (strspn(b, "01") == 2 && b[1] == X) reach_error();`,
			"'1'", "'2'"},
		{`char b[100]; if (!fgets(b, 100, stdin)) return 1; if (strcspn(b, ",;") == 2 && b[2] == X) reach_error();`,
			"';'", "'x'"},
		{`char b[100]; if (!fgets(b, 100, stdin)) return 1; if (strpbrk(b, ",;") == b + 2 && b[1] == X) reach_error();`,
			"'x'", "','"},
		{`char b[100]; if (!fgets(b, 100, stdin)) return 1; char *p = strchr(b, '\n'); if (p) *p = 0; ` +
			`if (strchr(b, 'q') == b && b[0] == X) reach_error();`, "'q'", "'r'"},
	} {
		if sample.Thinned(i, 4) {
			continue
		}
		for _, model := range modelsOf(i) {
			for _, x := range []string{c.some, c.none} {
				if x == "" {
					continue
				}
				o := ofLibrary(t, "#define X "+x+"\nint main(int argc, char **argv) {\n\t"+c.program+"\n\treturn 0;\n}\n",
					model, magus.Options{})
				require.Equal(t, x == c.some, o.Verdict == magus.Violates, "%v X %s: %v %v\n%s", model, x, o.Verdict,
					o.Reason, c.program)
			}
		}
	}
}

// TestBehindFirstCharacters: what a search of a text answers behind the characters that are looked at is any value:
// no proof leaves it out, and no violation rests on it.
func TestBehindFirstCharacters(t *testing.T) {
	for i, answer := range []string{
		"strcmp(b, c) < 0", "strcmp(b, c) == 0", "strcoll(b, c) > 0", "strncmp(b, c, argc) != 0",
		"strcasecmp(b, c) < 0", "strncasecmp(b, c, argc) > 0",
		"memcmp(b, c, argc) != 0", "!strchr(b, 'x')", "strchr(b, 'x') == b + 15", "!memchr(b, 'x', argc)",
		"memchr(b, 'x', argc) == b + 15", "strchr(b, 'x') && *strchr(b, 'x') != 'x'",
		"!strrchr(b, 'x')", "strrchr(b, 'a') == b + 11", `!strstr(b, "x")`, `strstr(b, "xy") == b + 15`,
		`strspn(b, "a") == 12`, `strcspn(b, "x") == 15`, `!strpbrk(b, "xy")`,
	} {
		if sample.LeftOut(i, 7) {
			continue
		}
		o := ofLibrary(t, fmt.Sprintf(`int main(int argc, char **argv) {
	char b[100], c[100];
	if (argc < 20 || !fgets(b, 100, stdin) || !fgets(c, 100, stdin)) return 1;
	memset(b, 'a', 12);
	memset(c, 'a', 12);
	if (%s) reach_error();
	return 0;
}
`, answer), cfa.LP64, magus.Options{})
		require.Equal(t, magus.Unknown, o.Verdict, "%s: %v", answer, o.Reason)
	}
}

// Every model has a case here, or is called at random below.
func TestModelsHaveTests(t *testing.T) {
	tested := map[string]bool{}
	for _, c := range modelCases {
		for _, name := range strings.Fields(c.functions) {
			tested[name] = true
		}
	}
	for _, f := range libraryCalls {
		tested[f.name] = true
	}
	for _, name := range libc.Names() {
		assert.True(t, tested[name], name)
	}
}

// A libraryCall is a function of texts, called at random: s and u are texts, b is an
// array of 12 characters with one in it, n is a number, c a character.
type libraryCall struct {
	name, call string
	// kind is what is compared: a sign, a number, a place in s or in b, a length whatever
	// b holds; and but for the last what b holds.
	kind string
}

var libraryCalls = []libraryCall{
	{"strcmp", "strcmp(s, u)", "sign"}, {"strcoll", "strcoll(s, u)", "sign"}, {"strncmp", "strncmp(s, u, n)", "sign"},
	{"strcasecmp", "strcasecmp(s, u)", "sign"}, {"strncasecmp", "strncasecmp(s, u, n)", "sign"},
	{"memcmp", "memcmp(s, u, n)", "sign"},
	{"strchr", "strchr(s, c)", "place"}, {"strrchr", "strrchr(s, c)", "place"},
	{"memchr", "(char *)memchr(s, c, n)", "place"},
	{"strspn", "strspn(s, u)", "number"}, {"strcspn", "strcspn(s, u)", "number"},
	{"strpbrk", "strpbrk(s, u)", "place"}, {"strstr", "strstr(s, u)", "place"},
	{"strcpy", "strcpy(b, u)", "text"}, {"stpcpy", "stpcpy(b, u)", "text"},
	{"strncpy", "strncpy(b, u, n)", "text"}, {"strcat", "strcat(b, u)", "text"},
	{"snprintf", `snprintf(b, n, "<%s%%%c>", u, c)`, "length"},
	{"snprintf", `snprintf(b, 12, "%d:%x", c * 1234567 - 40000000, (unsigned)n * 300)`, "length"},
	{"snprintf", `snprintf(b, n, "%s/%s", "ab", "c")`, "text made"},
	{"sprintf", `sprintf(b, "%c%%-%s", c, "xyz")`, "text made"},
	{"sprintf", `sprintf(b, "%hhd %ho", c * 77, (int)n * 9999)`, "length"},
	{"snprintf", `snprintf(b, n, "%5s|%-3c|%.2s", u, c, s)`, "length"},
	{"snprintf", `snprintf(b, 12, "%05d%+d", c * 12345 - 1000000, (int)n - 2)`, "length"},
	{"snprintf", `snprintf(b, 12, "%#x %#o %.3u", c - 97u, (unsigned)n - 2, (unsigned)n * 77)`, "length"},
	{"snprintf", `snprintf(b, 12, "%.0d%4.3i% ld", (int)n - 1, -(int)n, 7L * c)`, "length"},
	{"snprintf", `snprintf(b, 12, "%#.4o%#.0x%.1o", c * 99u, (unsigned)n, (unsigned)n)`, "length"},
	{"snprintf", `snprintf(b, 12, "%*d%.*s", (int)n - 2, c * 77, (int)n - 1, u)`, "length"},
	{"snprintf", `snprintf(b, n, "%-*s|%.*d", (int)n * 2, u, (int)n - 1, c - 97)`, "length"},
	{"snprintf", `snprintf(b, 12, "%#*.*o", (int)n, (int)n - 2, c - 97u)`, "length"},
	{"sprintf", `sprintf(b, "%*s%.*s", 2, "xyz", 1, "abc")`, "text made"},
	{"snprintf", `snprintf(b, n, "%d:%x%s", -12345, 0x1ffu, "z")`, "text made"},
	{"sprintf", `sprintf(b, "%u%hhX%ho", 7u, 0x1fe, 70000)`, "text made"},
	{"snprintf", `snprintf(b, 9, "%ld%lu%i", -128L, 0ul, 2147483647)`, "text made"},
	{"strncat", "strncat(b, u, n)", "text"}, {"strtok", "strtok(b, s)", "cut"},
	{"strtok_r", "strtok_r(b, s, &rest)", "cut"},
	{"strtol", "strtol(s, &end, BASE)", "parse"}, {"strtoll", "strtoll(s, &end, BASE)", "parse"},
	{"strtoul", "strtoul(s, &end, BASE)", "parse"}, {"strtoull", "strtoull(s, &end, BASE)", "parse"},
	{"atoi", "(end = 0, atoi(s))", "parse"}, {"atol", "(end = 0, atol(s))", "parse"},
	{"atoll", "(end = 0, atoll(s))", "parse"},
	{"htons", "htons(c * 977 + n)", "number"}, {"ntohs", "ntohs(c * 977 + n)", "number"},
	{"htonl", "(int)htonl(c * 9770077 + n)", "number"}, {"ntohl", "(int)ntohl(c * 9770077 + n)", "number"},
	{"strlen", "strlen(s)", "number"}, {"strnlen", "strnlen(s, n)", "number"},
}

// TestModelsAgreeWithLibrary: random calls of functions of texts. What the C library
// of this machine answers, and leaves behind, is what the model does: a program that
// asks for it violates, and one that asks for anything else conforms.
func TestModelsAgreeWithLibrary(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no gcc")
	}
	calls := sample.Count(len(libraryCalls))
	r := rand.New(rand.NewPCG(7, 11))
	var texts, tests []string
	for i := range calls {
		f := libraryCalls[i%len(libraryCalls)]
		text := func() string {
			var b strings.Builder
			for range r.IntN(5) {
				b.WriteByte("abAB"[r.IntN(4)])
			}
			return b.String()
		}
		if f.kind == "parse" {
			text = func() string {
				if r.IntN(4) == 0 {
					return [...]string{"9223372036854775807", "-9223372036854775808", "9223372036854775808",
						"-99999999999999999999", "18446744073709551615", "18446744073709551616", "-1"}[r.IntN(7)]
				}
				var b strings.Builder
				for k := range r.IntN(6) {
					b.WriteByte(" \t-+0xX0189azZ"[r.IntN(14)/min(k+1, 2)*min(k+1, 2)%14])
				}
				return b.String()
			}
		}
		s, u := text(), text()
		if r.IntN(3) == 0 {
			u = s + u[:min(len(u), 1)]
		}
		n := r.IntN(5)
		if strings.HasPrefix(f.name, "mem") { // not beyond the end
			n = r.IntN(min(len(s), len(u)) + 2)
		}
		if f.kind == "parse" {
			u = ""
		}
		pointers := [][2]string{{fmt.Sprintf("%q", s), fmt.Sprintf("%q", u)}, {"x", fmt.Sprintf("%q", u)},
			{"x", "y"}}[r.IntN(3)]
		if f.kind == "parse" {
			pointers[0] = fmt.Sprintf("%q", s)
		}
		f.call = strings.ReplaceAll(f.call, "BASE", [...]string{"0", "10", "16", "8", "36", "2", "37"}[r.IntN(7)])
		setup := fmt.Sprintf("char x[8] = %q, y[8] = %q, b[12] = %q; const char *const s = %s, *const u = %s; "+
			"const size_t n = %d; const char c = %d; (void)s; (void)u; (void)n; (void)c; ",
			s, u, text()[:0]+"aB", pointers[0], pointers[1], n, append([]byte(s+u), 'a', 0)[r.IntN(len(s)+len(u)+2)])
		answer := map[string]string{"sign": "int r = " + f.call + "; long a = r < 0 ? -1 : r > 0;",
			"number": "long a = " + f.call + ";", "length": "long a = " + f.call + ";", "text made": "long a = " + f.call + ";",
			"parse": "char *end = 0; errno = 0; long long a = " + f.call + "; b[0] = end ? end - s : 77; b[1] = a ? errno : 0;",
			"cut":   "char *rest = b; (void)rest; char *r = " + f.call + "; long a = r ? r - b : -1;",
			"place": "char *r = " + f.call + "; long a = r ? r - s : -1;", "text": "char *r = " + f.call +
				"; long a = r - b;"}[f.kind]
		texts = append(texts, setup+answer)
		tests = append(tests, fmt.Sprintf("{ %s%s printf(\"%%lluULL\", (unsigned long long)a); "+
			"for (int i = 0; i < 12; i++) printf(\" %%d\", b[i]); puts(\"\"); }", setup, answer))
	}
	dir := t.TempDir()
	src, bin := filepath.Join(dir, "calls.c"), filepath.Join(dir, "calls")
	program := "#define _GNU_SOURCE\n#include <string.h>\n#include <strings.h>\n#include <stdio.h>\n" +
		"#include <stdlib.h>\n#include <errno.h>\n#include <arpa/inet.h>\nint main(void) {\n" +
		strings.Join(tests, "\n") + "\nreturn 0; }\n"
	require.NoError(t, os.WriteFile(src, []byte(program), 0o644))
	out, err := exec.Command("gcc", "-w", "-O0", "-fno-builtin", "-o", bin, src).CombinedOutput()
	require.NoError(t, err, "%s", out)
	out, err = exec.Command(bin).Output()
	require.NoError(t, err)
	for i, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		answers := strings.Fields(line)
		same := "(unsigned long long)a == " + answers[0]
		if libraryCalls[i%len(libraryCalls)].kind == "length" {
			answers = answers[:1]
		}
		for k, c := range answers[1:] {
			same += fmt.Sprintf(" && b[%d] == %s", k, c)
		}
		model := []cfa.DataModel{cfa.LP64, cfa.ILP32}[r.IntN(2)]
		if libraryCalls[i%len(libraryCalls)].kind == "parse" {
			model = cfa.LP64 // of which long is this machine's
		}
		opt := magus.Options{Modelling: magus.Modelling{CheckPointers: r.IntN(3) == 0}}
		for want, condition := range map[magus.Verdict]string{magus.Violates: same, magus.Conforms: "!(" + same + ")"} {
			if (want == magus.Conforms) != (i%2 == 0) && !sample.Campaign() {
				continue // the suite asks one of the two
			}
			o := ofLibrary(t, "int main(void) { "+texts[i]+" if ("+condition+") reach_error(); return 0; }", model, opt)
			require.Equal(t, want, o.Verdict, "%v pointers %v: %v\n%s\n%s", model, opt.CheckPointers, o.Reason,
				texts[i], condition)
		}
	}
}

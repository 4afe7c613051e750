package threads_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"magus/engine/threads"
	"magus/internal/sample"
)

// TestWhatIsRead has reads whose value nobody uses, bit-fields, and functions of the C library: which of them race.
func TestWhatIsRead(t *testing.T) {
	const head = "#include <pthread.h>\n#include <stdatomic.h>\n#include <stdio.h>\n#include <stdlib.h>\n" +
		"#include <string.h>\n#include <time.h>\n#include <unistd.h>\nstruct timespec ts;\n" +
		"int x, y, z[4]; atomic_int a; volatile int vo; struct { int a, b; } s1; struct pair { int a, b; } " +
		"pr; struct pair pair(void) { return pr; }\n" +
		"char text[8] = \"abc\", line[8]; struct { unsigned a : 4, b : 4; unsigned : 0; unsigned c : 3; " +
		"char d; unsigned e : 20, f : 5; } bf; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
	const lock, unlock = "pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"
	two := func(a, b string) string {
		return "void *f(void *p) { " + a + " return 0; }\nint main(void) { pthread_t t; pthread_create(&t, 0, f, 0); " +
			b + " pthread_join(t, 0); return x; }"
	}
	for i, c := range []struct {
		name, text string
		want       threads.Answer
	}{
		{"a value that nobody uses", two("x;", "x = 1;"), threads.Unsafe},
		{"a value that becomes void", two("(void)x;", "x = 1;"), threads.Unsafe},
		{"the left of a comma", two("y = (x, 1);", "x = 1;"), threads.Unsafe},
		{"an operand that nobody uses", two("x + 1; -y;", "x = 1;"), threads.Unsafe},
		{"a structure that nobody uses", two("s1;", "s1.b = 1;"), threads.Unsafe},
		{"a structure that is returned and dropped", two("pair();", "pr.b = 1;"), threads.Unsafe},
		{"what is volatile and nobody uses", two("vo;", "vo = 1;"), threads.Unsafe},
		{"what sizeof asks for", two("sizeof x; (void)sizeof(s1);", "x = 1; s1.a = 1;"), threads.Safe},
		{"addresses that nobody uses", two("&x; (void)&s1.b; z; &z[1];", "x = 1; s1.b = 1; z[1] = 1;"), threads.Safe},
		{"atomic_init", two("atomic_init(&a, 1);", "if (atomic_load(&a)) y = 1;"), threads.Unsafe},
		{"bit-fields side by side", two("bf.a = 1;", "bf.b = 1;"), threads.Unsafe},
		{"bit-fields of other bytes", two("bf.e = 1;", "bf.f = 1;"), threads.Unsafe},
		{"a bit-field behind one of width 0", two("bf.a = 1;", "bf.c = 1;"), threads.Safe},
		{"bit-fields with a member between them", two("bf.c = 1; bf.d = 1;", "bf.e = 1;"), threads.Safe},
		{"two reads of bit-fields", two("int i = bf.a;", "int i = bf.a;"), threads.Safe},
		{"a read beside a bit-field", two("y = bf.a;", "bf.b = 1;"), threads.Unsafe},
		{"bit-fields under a lock", two(lock+"bf.a = 1;"+unlock, lock+"bf.b++;"+unlock), threads.Safe},

		{"a text that is printed", two(`printf("%d%s", y, text);`, "text[1] = 'z';"), threads.Unsafe},
		{"a number that is printed", two(`printf("%d", x);`, "x = 1;"), threads.Unsafe},
		{"an address that is printed", two(`printf("%p", (void *)text);`, "text[1] = 'z';"), threads.Safe},
		{"a text of which a part is printed", two(`printf("%.1s", text);`, "text[2] = 'z';"), threads.Safe},
		{"as much of a text as a number says", two(`printf("%.*s", 3, text);`, "text[2] = 'z';"), threads.Unsafe},
		{"what a row says that a function writes", two("clock_getres(0, &ts);", "ts.tv_nsec = 1;"), threads.Unsafe},
		{"so many bytes that a function writes", two("gethostname(line, 4);", "line[3] = 1;"), threads.Unsafe},
		{"what is behind bytes that a function writes", two("gethostname(line, 4);", "line[4] = 1;"), threads.Safe},
		{"two objects that a function writes", two("clock_getres(0, &ts);",
			"struct timespec own; clock_getres(0, &own);"), threads.Safe},
		{"what is behind a text", two("puts(text);", "text[5] = 'z';"), threads.Safe},
		{"a text that is put", two("puts(text);", "text[2] = 'z';"), threads.Unsafe},
		{"a text that is put into a stream", two("fputs(text, stderr);", "text[0] = 'z';"), threads.Unsafe},
		{"a text that is printed into a stream", two(`fprintf(stderr, "%s", text);`, "text[0] = 'z';"), threads.Unsafe},
		{"a text of an error", two("perror(text);", "text[0] = 'z';"), threads.Unsafe},
		{"an error without a text", two("perror(0);", "text[0] = 'z';"), threads.Safe},
		{"a format in memory", two("printf(text);", "text[0] = 'z';"), threads.Unsafe},
		{"elements that are written into a stream", two("fwrite(z, sizeof *z, 2, stdout);", "z[1] = 1;"), threads.Unsafe},
		{"elements that are not", two("fwrite(z, sizeof *z, 2, stdout);", "z[2] = 1;"), threads.Safe},
		{"a name of a file", two(`fopen(text, "r");`, "text[0] = 'z';"), threads.Unsafe},
		{"two lines into one place", two("fgets(line, 4, stdin);", "fgets(line, 4, stdin);"), threads.Unsafe},
		{"two lines", two("fgets(line, 4, stdin);", "fgets(text, 4, stdin);"), threads.Safe},
		{"characters of one stream", two("int c = getchar(); putchar(c);", "int c = getchar(); fputc(c, stderr);"),
			threads.Safe},
		{"random numbers", two("y = rand();", "int r = rand();"), threads.Safe},
		{"the environment", two(`getenv("A");`, `char *p = getenv("B");`), threads.Safe},
		{"the environment that changes", two(`getenv("A");`, `setenv("B", text, 1);`), threads.Unsafe},
		{"parts of two texts", two(`strtok(line, " ");`, `strtok(text, ",");`), threads.Unsafe},
		{"points in time", two("time_t n = 0; localtime(&n);", "time_t n = 1; gmtime(&n);"), threads.Unsafe},
		{"points in time under a lock", two("time_t n = 0; "+lock+"localtime(&n);"+unlock,
			"time_t n = 1; "+lock+"gmtime(&n);"+unlock), threads.Safe},
		{"points in time as texts", two("time_t n = 0; ctime(&n);", "time_t n = 1; ctime(&n);"), threads.Unsafe},
		{"a point in time that is given", two("localtime((time_t *)z);", "z[1] = 1;"), threads.Unsafe},
		{"memory that is allocated anew", "void *f(void *p) { void *q = realloc(p, 8); return 0; } " +
			"int main(void) { pthread_t t; int *h = malloc(4); if (!h) return 0; *h = 1; " +
			"pthread_create(&t, 0, f, h); return *h; }", threads.Unsafe},
	} {
		if sample.LeftOut(i, 6) {
			continue
		}
		auto := racing(t, head+c.text)
		out, err := threads.Run(context.Background(), auto, threads.Options{Unwind: 2, Goal: threads.Races})
		require.NoError(t, err, c.name)
		assert.Equal(t, c.want, out.Answer, c.name)
		if out.Answer == threads.Unsafe {
			_, err := replay(auto, out.Schedule)
			require.NoError(t, err, c.name)
		}
	}
}

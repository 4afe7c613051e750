package compdb_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/app/compdb"
)

// shown are commands, one a line: folder, file, arguments.
func shown(commands []compdb.Command) string {
	var b strings.Builder
	for _, c := range commands {
		b.WriteString(c.Directory + " | " + c.File + " | " + strings.Join(c.Arguments, " ") + "\n")
	}
	return b.String()
}

func TestFromMake(t *testing.T) {
	there := func(path string) bool { return path == "/p/src/there.c" }
	for name, test := range map[string]struct{ text, want, passed string }{
		"plain": {"gcc -O2 -c -o a.o a.c\nar rcs lib.a a.o\n",
			"/p | a.c | gcc -O2 -c -o a.o a.c\n", ""},
		"compiled and linked, a file each": {"cc -o p a.c b.c -lm", "/p | a.c | cc -o p a.c -lm\n" +
			"/p | b.c | cc -o p b.c -lm\n", ""},
		"in lines": {"gcc \\\n  -c a.c \\\n  -o a.o\n", "/p | a.c | gcc -c a.c -o a.o\n", ""},
		"cd": {"cd src && gcc -c a.c; gcc -c b.c\ngcc -c c.c",
			"/p/src | a.c | gcc -c a.c\n/p/src | b.c | gcc -c b.c\n/p | c.c | gcc -c c.c\n", ""},
		"a subshell": {"(cd src && gcc -c a.c); gcc -c b.c",
			"/p/src | a.c | gcc -c a.c\n/p | b.c | gcc -c b.c\n", ""},
		"quotes": {`gcc -D'A="x y"' -DB=\"q\" "my file.c" -c # and gcc -c no.c`,
			"/p | my file.c | gcc -DA=\"x y\" -DB=\"q\" my file.c -c\n", ""},
		"redirections": {"gcc -c a.c 2>&1 >log <in.c; echo gcc -c b.c > c.c",
			"/p | a.c | gcc -c a.c\n", ""},
		"prefixes": {"if A=1 ccache x86_64-linux-gnu-gcc-12 -c a.c; then :; fi",
			"/p | a.c | x86_64-linux-gnu-gcc-12 -c a.c\n", ""},
		"libtool": {"/bin/sh ../libtool --tag=CC --mode=compile gcc -c -o a.lo a.c",
			"/p | a.c | gcc -c -o a.lo a.c\n", ""},
		"no compiler": {"g++ -c a.c\nmv a.c b.c\necho a.c\nccc a.c", "", ""},
		"only looked at": {"gcc -MM a.c > a.d\ngcc -E a.c -o a.i\ngcc -MD -MF a.c -c b.c",
			"/p | b.c | gcc -MD -MF a.c -c b.c\n", ""},
		"folders of make": {"make: Entering directory '/p'\nmake -C sub\nmake[1]: Entering directory '/p/sub'\n" +
			"gcc -c a.c\nmake[1]: Leaving directory '/p/sub'\ngcc -c b.c\nmake: Leaving directory '/p'",
			"/p/sub | a.c | gcc -c a.c\n/p | b.c | gcc -c b.c\n", ""},
		"Automake": {"gcc -c -o a.o `test -f 'a.c' || echo 'src/'`a.c\n" +
			"gcc -c `test -f 'src/there.c' || echo './'`src/there.c", "/p | src/a.c | gcc -c -o a.o src/a.c\n" +
			"/p | src/there.c | gcc -c src/there.c\n", ""},
		"a loop": {"for f in a.c b.c; do gcc -c $f; done\ngcc -c c.c", "/p | c.c | gcc -c c.c\n",
			"1: $f is not known"},
		"a variable": {"gcc -I${HOME}/x -c a.c", "", "1: ${HOME} is not known"},
		"a command":  {"x=1\ngcc $(pkg-config --cflags z) -c a.c", "", "2: $(pkg-config --cflags z) is not known"},
		"a command within one": {"cc `[ \\`uname\\` = x ] && echo -lx` a.c", "",
			"1: `[ \\`uname\\` = x ] && echo -lx` is not known"},
		"in a quote":        {"gcc \"-DX=$Y\" -c a.c", "", `1: "-DX=$Y" is not known`},
		"no closing quote":  {"gcc -DX=' -c a.c", "", "1: a quote is not closed"},
		"an unknown folder": {"cd $d && gcc -c a.c", "", "1: $d is not known"},
	} {
		t.Run(name, func(t *testing.T) {
			all, passed := compdb.FromMake(test.text, "/p", there)
			require.Equal(t, test.want, shown(all))
			var said []string
			for _, p := range passed {
				said = append(said, string(rune('0'+p.Line))+": "+p.Why)
			}
			require.Equal(t, test.passed, strings.Join(said, "\n"))
		})
	}
}

// What is written is read again, with paths that go with the folder; macros stay as they are.
func TestText(t *testing.T) {
	text := compdb.Text([]compdb.Command{
		{Directory: "/p/sub", File: "/p/sub/a.c", Output: "/p/o/a.o",
			Arguments: []string{"gcc", "-I/p/include", "-I", "/p", "-I/pp", "-DHOME=/p", "-D", `X="<>"`, "-o",
				"/p/o/a.o", "/p/sub/a.c"}},
		{Directory: "/q", File: "b.c", Arguments: []string{"cc", "/p/b.c"}},
	}, "/p")
	require.Equal(t, `[
{"directory":"sub","file":"a.c","arguments":["gcc","-I../include","-I","..","-I/pp","-DHOME=/p","-D","X=\"<>\"","-o","../o/a.o","a.c"],"output":"../o/a.o"},
{"directory":"/q","file":"b.c","arguments":["cc","/p/b.c"]}
]
`, string(text))
	all, err := compdb.Parse(text)
	require.NoError(t, err)
	require.Len(t, all, 2)
	require.Equal(t, "../o/a.o", all[0].Output)
}

// FuzzFromMake: whatever make prints, commands have a file and a folder, and what is passed over has a line and a
// reason.
func FuzzFromMake(f *testing.F) {
	f.Add("make[1]: Entering directory '/p/src'\ncd lib && gcc -DA='\"x y\"' \\\n -c ../a.c -o a.o; cc b.c -lm\n" +
		"make[1]: Leaving directory '/p/src'\n")
	f.Add("for f in a.c b.c; do gcc -c $f; done\n( cd x; cc -c `echo c.c` ) > out 2>&1 || true\nlibtool --mode=compile cc -c d.c\n")
	f.Fuzz(func(t *testing.T, text string) {
		all, passed := compdb.FromMake(text, "/p", func(path string) bool { return strings.HasSuffix(path, "a.c") })
		for _, c := range all {
			require.NotEmpty(t, c.File)
			require.NotEmpty(t, c.Directory)
			require.NotEmpty(t, c.Arguments)
			_, _ = c.Settings()
		}
		for _, p := range passed {
			require.Positive(t, p.Line)
			require.LessOrEqual(t, p.Line, strings.Count(text, "\n")+1)
			require.NotEmpty(t, p.Why)
		}
	})
}

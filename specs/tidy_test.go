package specs

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"magus/internal/sample"
)

func TestFormat(t *testing.T) {
	tests := map[string]struct{ text, want string }{
		"blanks": {"P=(a->b.c  ->P|{x,y}->STOP)+{d ,e}\\{ f }/{n/o}@{ }.",
			"P = ( a -> b.c -> P | {x, y} -> STOP ) + { d, e } \\ { f } / { n/o } @ {}.\n"},
		"branches stand below the bracket": {"P = (a -> P\n| b -> (c -> P\n    | d -> STOP)),\n  Q = STOP.",
			"P = ( a -> P\n    | b -> ( c -> P\n           | d -> STOP ) ),\nQ = STOP.\n"},
		"columns stay": {"Longer   = (a    -> P\n           | bbb -> P ),\nP = STOP.",
			"Longer = ( a   -> P\n         | bbb -> P ),\nP = STOP.\n"},
		"columns of definitions":                {"Longer   = STOP,\nP        = STOP.", "Longer = STOP,\nP      = STOP.\n"},
		"a column with nothing below it":        {"P   = STOP.\n\n\n\nQ     = STOP.", "P = STOP.\n\nQ = STOP.\n"},
		"operators go on below what is defined": {"P = STOP\n+ {a}.", "P = STOP\n    + { a }.\n"},
		"block": {"procedure f{abstract{n,($1>0&&x),P};\n predicate(a),( *b );\nassigns *$1,x;  skip;}",
			"procedure f { abstract { n, ($1 > 0 && x), P };\n\tpredicate (a), (*b);\n\tassigns *$1, x; skip; }\n"},
		"statements go on one tab further": {"program a*,b*3\n{\nspecification s,\n{(1),( 1 )},P;\n}",
			"program a*, b*3\n{\n\tspecification s,\n\t\t{(1), (1)}, P;\n}\n"},
		"C": {"procedure f { predicate ((int) - x*2 == - -y), (a ?b:!c), (p -> q . r[ 1 ]), " +
			"(sizeof (int)+sizeof x), (~ - + +1 & &z); }",
			"procedure f { predicate ((int)-x * 2 == - -y), (a ? b : !c), (p->q.r[1]), (sizeof(int) + sizeof x), " +
				"(~-+ +1 & &z); }\n"},
		"returns and messages": {"P = (tx : return{$0==1}->data ( 3 )->data(x)->return->STOP).",
			"P = ( tx:return {$0 == 1} -> data(3) -> data(x) -> return -> STOP ).\n"},
		"formulas": {"assert A=[](a->< >b && ! X c) <->(d  U {e,f})\nprogress G={a}\nfluent F=<{a},b>initially 1.",
			"assert A = [](a -> <> b && !X c) <-> (d U {e, f})\nprogress G = {a}\nfluent F = <{a}, b> initially 1.\n"},
		"rule": {"rule a-b for m{l:call f*g,*.h($1==m)returns($0!=0);e:return;\nnever k ;\n" +
			"S[2]=(l->T[+1]or DONE|{e}->S),\nT [ 2 ]=STOP.begin S;}",
			"rule a-b for m { l: call f*g, *.h ($1 == m) returns ($0 != 0); e: return;\n\tnever k;\n" +
				"\tS[2] = ( l -> T[+1] or DONE | {e} -> S ),\n\tT[2] = STOP. begin S; }\n"},
		"comments": {"// head  \n\n\n  // of P\nP = ( a -> P // one\n      // between\n  " +
			"| b /* in */-> P /* two\n  lines */ ).\n     // end",
			"// head\n\n// of P\nP = ( a -> P // one\n    // between\n    | b /* in */ -> P /* two\n  lines */ ).\n// end\n"},
		"comments below each other": {"P = ( a -> P   // one\n               // two\n  | bbb -> P   // three\n  ).",
			"P = ( a -> P   // one\n               // two\n    | bbb -> P // three\n    ).\n"},
		"a comment before the end of a block": {"procedure f {\nskip;\n// end\n}", "procedure f {\n\tskip;\n\t// end\n}\n"},
		"lines of other systems":              {"P = STOP.\r\n// c\r\nQ = STOP.\r\r\n", "P = STOP.\n// c\nQ = STOP.\n"},
		"several items on a line":             {"P = Q.Q=STOP.||R=(P||Q).", "P = Q. Q = STOP. ||R = ( P || Q ).\n"},
		"what is not defined":                 {"P = Q.", "P = Q.\n"},
		"what is not there to be imported":    {"P=import \"none.aut\".", "P = import \"none.aut\".\n"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := Format(context.Background(), Source{"x.spec", []byte(test.text)})
			require.NoError(t, err)
			require.Equal(t, test.want, got)
			again, err := Format(context.Background(), Source{"x.spec", []byte(got)})
			require.NoError(t, err)
			require.Equal(t, got, again)
		})
	}
}

// What does not parse is not formatted; the place of the mistake is told.
func TestFormatRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"P = ( a -> P": "x.spec:1:13: expected ')' or '|' after a branch, found the end of the file\n  " +
			"P = ( a -> P\n              ^",
		"P = STOP. /* c": "x.spec:1:11: this comment does not end: */ is missing\n  P = STOP. /* c\n            ^",
		"// nothing": "x.spec:1:1: nothing is defined: expected a process such as P = ( a -> P ). " +
			"or a procedure or a program\n  // nothing\n  ^",
	} {
		_, err := Format(context.Background(), Source{"x.spec", []byte(text)})
		require.EqualError(t, err, want)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := Format(ctx, Source{"x.spec", []byte("P = STOP.")})
	require.ErrorIs(t, err, context.Canceled)
}

// comments are those of a text, found by another way than the scanner's.
func comments(text string) (all []string) {
	for text != "" {
		switch i := strings.IndexAny(text, `/"'`); {
		case i < 0:
			return all
		case text[i] == '"' || text[i] == '\'':
			n := 1
			for text[i+n] != text[i] {
				n += 1 + b2i(text[i+n] == '\\')
			}
			text = text[i+n+1:]
		case strings.HasPrefix(text[i:], "//"):
			line, rest, _ := strings.Cut(text[i:], "\n")
			all, text = append(all, strings.TrimRight(line, " \t\r\f\v")), rest
		case strings.HasPrefix(text[i:], "/*"):
			comment, rest, _ := strings.Cut(text[i+2:], "*/")
			all, text = append(all, comment), rest
		default:
			text = text[i+1:]
		}
	}
	return all
}

// laws requires of a text that parses that its formatted form is parsed as the same, has the same comments and is
// formatted as itself.
func laws(t require.TestingT, name, text string, readFile func(string) ([]byte, error)) {
	got, err := Format(context.Background(), Source{name, []byte(text)})
	require.NoError(t, err, text)
	again, err := Format(context.Background(), Source{name, []byte(got)})
	require.NoError(t, err, got)
	require.Equal(t, got, again)
	require.Equal(t, comments(string(unixLines([]byte(text)))), comments(got))
	was, err := Parse(context.Background(), []Source{{name, []byte(text)}}, readFile)
	if err != nil { // names are not defined
		return
	}
	is, err := Parse(context.Background(), []Source{{name, []byte(got)}}, readFile)
	require.NoError(t, err, got)
	require.Equal(t, was.String(), is.String())
}

// everySpecification are the specification files of the tree.
func everySpecification(t *testing.T) (paths []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir("..", func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".spec") {
			paths = append(paths, path)
		}
		return err
	}))
	require.Greater(t, len(paths), 50)
	return paths
}

func TestFormatKeepsTheTree(t *testing.T) {
	for _, path := range everySpecification(t) {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		if _, err := Format(context.Background(), Source{path, text}); err == nil {
			laws(t, path, string(text), os.ReadFile)
		}
	}
}

// blanks are what may stand between any two tokens that something stands between.
var blanks = []string{" ", "  ", "       ", "\t", "\n", "\n\n\n", "\r\n", "\n    ", " /* c */ ",
	" /* c\n  d */", " // c\n", "\n  // c  \n\t"}

// ruffled is a text with other blanks, and comments between its tokens.
func ruffled(t *rapid.T, text string) string {
	src := newSource("", []byte(text))
	tokens, _ := scan(context.Background(), src)
	var b strings.Builder
	few := rapid.IntRange(1, 10).Draw(t, "few")
	at := 0
	for i, tok := range tokens[:len(tokens)-1] {
		between := text[at:tok.offset]
		free := slices.Contains([]string{"(", ")", "{", "}", ",", ";", "=", "->", "|"}, tok.text) &&
			tok.kind == tokPunct && i > 0
		if (between != "" || free) && rapid.IntRange(0, few).Draw(t, "change") == 0 {
			between = rapid.SampledFrom(blanks).Draw(t, "blank")
		}
		b.WriteString(between + tok.text)
		at = tok.offset + len(tok.text)
	}
	return b.String()
}

func TestFormatKeepsRandomFiles(t *testing.T) {
	sample.Check(t, func(t *rapid.T) {
		laws(t, "random.spec", ruffled(t, genFile(t).String()), nil)
	})
}

func TestFormatKeepsRuffledFiles(t *testing.T) {
	paths := everySpecification(t)
	sample.Check(t, func(t *rapid.T) {
		path := rapid.SampledFrom(paths).Draw(t, "file")
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		if _, err := Format(context.Background(), Source{path, text}); err == nil && len(text) < 5000 {
			laws(t, path, ruffled(t, string(text)), os.ReadFile)
		}
	})
}

func FuzzFormat(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		readFile := func(string) ([]byte, error) { return []byte("des (0, 1, 1)\n(0, a, 0)\n"), nil }
		if _, err := Format(context.Background(), Source{"fuzz.spec", []byte(text)}); err != nil {
			require.NotErrorIs(t, err, errUntidy)
			return
		}
		laws(t, "fuzz.spec", text, readFile)
	})
}

// Changes lead from a text to the formatted one.
func TestChanges(t *testing.T) {
	sample.Check(t, func(t *rapid.T) {
		text := ruffled(t, genFile(t).String())
		got, err := Format(context.Background(), Source{"x.spec", []byte(text)})
		require.NoError(t, err)
		before, after := Lines(text), Lines(got)
		var b strings.Builder
		at := 0
		for _, c := range Changes(before, after) {
			require.GreaterOrEqual(t, c.From, at)
			b.WriteString(strings.Join(before[at:c.From], "") + strings.Join(after[c.AfterFrom:c.AfterTo], ""))
			at = c.To
		}
		require.Equal(t, got, b.String()+strings.Join(before[at:], ""))
	})
}

func TestFolds(t *testing.T) {
	text := "// a\n// b\n\n/* c */\nP = ( a -> P\n    | b -> Q ),\nQ = STOP. // d\n// e\nprocedure f {\n" +
		"\tabstract {\n\t\t(1), P };\n}\n/* f\n   g */\n"
	require.Equal(t, []Fold{{0, 1, true}, {4, 5, false}, {8, 11, false}, {9, 10, false}, {12, 13, true}},
		Folds(Source{"x.spec", []byte(text)}))
	require.Empty(t, Folds(Source{"x.spec", []byte("P = ( a -> ")}))
	for _, path := range everySpecification(t) {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, f := range Folds(Source{path, text}) {
			require.Less(t, f.From, f.To)
			require.Less(t, f.To, len(Lines(string(text))))
		}
	}
}

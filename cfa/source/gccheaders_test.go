package source

import (
	"encoding/binary"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"modernc.org/cc/v4"

	"magus/cfa"
	"magus/cfa/source/preprocess"
	"magus/internal/sample"
)

// A headerTable is what a header gives to its includers.
type headerTable struct {
	functions, types []string
	macros           []string // with values that are integers
	fields           []string // t.m, for the structures that have a name
}

// ownTable reads one of our own headers.
func ownTable(t *testing.T, name string) headerTable {
	t.Helper()
	ast, macros := headerAST(t, Source{Name: "a.c", Text: []byte("#include <" + name + ">\n")})
	file := headerDir + "/" + name
	var table headerTable
	for name, nodes := range ast.Scope.Nodes {
		if strings.HasPrefix(name, "__") {
			continue
		}
		for _, n := range nodes {
			switch d := n.(type) {
			case *cc.Declarator:
				if d.NameTok().Position().Filename != file {
					continue
				}
				switch {
				case d.IsTypename():
					table.types = append(table.types, name)
					table.fields = append(table.fields, fieldsOf(name, d.Type())...)
				case d.Type().Kind() == cc.Function:
					table.functions = append(table.functions, name)
				}
			case *cc.StructOrUnionSpecifier:
				if d.Case == cc.StructOrUnionSpecifierDef && d.Position().Filename == file {
					name = strings.ToLower(d.Type().Kind().String()) + " " + name
					table.types = append(table.types, name)
					table.fields = append(table.fields, fieldsOf(name, d.Type())...)
				}
			}
		}
	}
	for name, m := range macros {
		if !strings.HasPrefix(name, "__") && !m.Function && m.Pos.File == file && len(m.Body) > 0 {
			table.macros = append(table.macros, name)
		}
	}
	for _, list := range []*[]string{&table.functions, &table.types, &table.macros, &table.fields} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return table
}

func fieldsOf(name string, t cc.Type) (all []string) {
	for _, f := range Members(t) {
		if f.Name() != "" && !strings.HasPrefix(f.Name(), "__") && !f.IsBitfield() {
			all = append(all, name+"@"+f.Name())
		}
	}
	return all
}

func headerAST(t *testing.T, s Source) (*cc.AST, map[string]preprocess.Macro) {
	t.Helper()
	u, err := newUnit(t.Context(), s, Options{})
	require.NoError(t, err)
	ast, err := cc.Translate(u.cfg, u.sources)
	require.NoError(t, err, s.Name)
	return ast, u.out.Macros
}

// A question is an expression that a header gives a value.
type question struct{ what, expr string }

func (h headerTable) questions() (all []question) {
	for _, f := range h.functions {
		all = append(all, question{"function " + f, "sizeof(&" + f + ")"})
	}
	for _, n := range h.types {
		all = append(all, question{"size of " + n, "sizeof(" + n + ")"})
	}
	for _, m := range h.macros {
		all = append(all, question{"macro " + m, "(long long)(" + m + ")"})
	}
	for _, f := range h.fields {
		n, m, _ := strings.Cut(f, "@")
		all = append(all, question{"offset of " + m + " in " + n, "__builtin_offsetof(" + n + ", " + m + ")"})
	}
	return all
}

// program asks the questions after a header, one a line.
func program(header string, qs []question) string {
	var b strings.Builder
	fmt.Fprintf(&b, "#include <%s>\n", header)
	for i, q := range qs {
		fmt.Fprintf(&b, "long long magus_q%d = %s;\n", i, q.expr)
	}
	return b.String()
}

// ownAnswers are the values that our header gives; those that are no constant, or no
// expression, have none.
func ownAnswers(t *testing.T, header string, qs []question, model cfa.DataModel) map[string]string {
	answers := map[string]string{}
	u, err := newUnit(t.Context(), Source{Name: "a.c", Text: []byte(program(header, qs))}, Options{Model: model})
	require.NoError(t, err)
	ast, err := cc.Translate(u.cfg, u.sources)
	if err != nil {
		if half := len(qs) / 2; half > 0 {
			maps.Copy(answers, ownAnswers(t, header, qs[:half], model))
			maps.Copy(answers, ownAnswers(t, header, qs[half:], model))
		}
		return answers
	}
	layouts := newLayouts(model)
	require.NoError(t, layouts.read(t.Context(), &File{ast: ast}))
	for tu := ast.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
		decl := tu.ExternalDeclaration.Declaration
		if decl == nil || decl.InitDeclaratorList == nil {
			continue
		}
		var i int
		d := decl.InitDeclaratorList.InitDeclarator
		if n, _ := fmt.Sscanf(d.Declarator.Name(), "magus_q%d", &i); n == 0 {
			continue
		}
		if v, ok := layouts.Constant(d.Initializer.AssignmentExpression); ok {
			answers[qs[i].what] = fmt.Sprint(v)
		}
	}
	return answers
}

// reErrorLine is the line of an error of GCC's.
var reErrorLine = regexp.MustCompile(`(?m)^a\.c:(\d+):\d+: error: `)

// gccAnswers are the values that GCC's header gives; "" where there is none. ok is false
// if there is no such header.
func gccAnswers(t *testing.T, header string, qs []question) (answers map[string]string, ok bool) {
	dir := t.TempDir()
	gcc := func(text string) (string, error) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "a.c"), []byte(text), 0o600))
		cmd := exec.Command("gcc", "-c", "-D_GNU_SOURCE", "-w", "-fno-zero-initialized-in-bss", "a.c")
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	known := slices.Clone(qs)
	for looked := false; ; looked = true { // an error may hide the next one
		out, err := gcc(program(header, known))
		if err == nil {
			break
		}
		if !looked {
			if _, err := gcc(program(header, nil)); err != nil {
				return nil, false
			}
		}
		bad := map[string]bool{}
		for _, m := range reErrorLine.FindAllStringSubmatch(out, -1) {
			var line int
			_, err := fmt.Sscan(m[1], &line)
			require.NoError(t, err)
			require.Less(t, line-2, len(known), out)
			bad[known[line-2].what] = true
		}
		require.NotEmpty(t, bad, out)
		known = slices.DeleteFunc(known, func(q question) bool { return bad[q.what] })
	}
	images := imagesOf(t, filepath.Join(dir, "a.o"))
	answers = map[string]string{}
	for i, q := range known {
		image := images[fmt.Sprintf("magus_q%d", i)]
		require.Len(t, image, 8, "%s: %s", header, q.what)
		answers[q.what] = fmt.Sprint(int64(binary.LittleEndian.Uint64(image)))
	}
	return answers, true
}

// knownDifferences are those between our headers and GNU's, with the reason.
var knownDifferences = map[string]string{
	"limits.h: macro PTHREAD_STACK_MIN": "a call of sysconf with _GNU_SOURCE",
	"setjmp.h: function sigsetjmp":      "a macro",
	"signal.h: macro MINSIGSTKSZ":       "a call of sysconf with _GNU_SOURCE",
	"signal.h: macro SIGRTMAX":          "a call",
	"signal.h: macro SIGRTMIN":          "a call",
	"signal.h: macro SIGSTKSZ":          "a call of sysconf with _GNU_SOURCE",
	"stdarg.h: size of va_list":         "the front end's",
	"stddef.h: size of wint_t":          "only with stdio.h and wchar.h",
	"stdio.h: function gets":            "not in C11, but programs call it",
	"stdlib.h: macro MB_CUR_MAX":        "a call; 1 in the locale C",
	"string.h: function strlcat":        "from glibc 2.38 on",
	"string.h: function strlcpy":        "from glibc 2.38 on",
	"threads.h: macro ONCE_FLAG_INIT":   "in braces",
}

// TestHeadersAgreeWithGCC compares every function, type, member and constant that our
// headers give with those of this machine.
func TestHeadersAgreeWithGCC(t *testing.T) {
	sample.Long(t)
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no GCC to compare with")
	}
	for _, name := range ownHeaders(t) {
		t.Run(name, func(t *testing.T) {
			sample.Part(t, 6)
			t.Parallel()
			qs := ownTable(t, name).questions()
			gcc, ok := gccAnswers(t, name, qs)
			if !ok {
				t.Skip("GCC has no such header here")
			}
			own := ownAnswers(t, name, qs, cfa.LP64)
			for _, q := range qs {
				if own[q.what] == "" { // an incomplete type; a text, a number with a fraction
					continue
				}
				_, known := knownDifferences[name+": "+q.what]
				if differs := own[q.what] != gcc[q.what]; differs && !known {
					t.Errorf("%s: %s is %q in ours, %q in GCC's", name, q.what, own[q.what], gcc[q.what])
				}
			}
		})
	}
}

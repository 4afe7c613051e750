package rules_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/app/cli"
	"magus/app/input"
	"magus/internal/sample"
)

// An edited project is a random one with what is no part of its syntax: lines in its header, in its structure
// and behind its first file, and empty lines.
type edited struct {
	*project
	members, header, behind []string
	level                   int // what the global starts with
	blank                   []place
	fresh                   int
}

// write gives the texts of the files by name.
func (e *edited) write() map[string]string {
	texts := e.project.write()
	texts["all.h"] = strings.Replace(texts["all.h"], "\tint n;\n", "\tint n;\n"+strings.Join(e.members, ""), 1)
	texts["all.h"] = strings.Replace(texts["all.h"], "#endif\n", strings.Join(e.header, "")+"#endif\n", 1)
	texts["p0.c"] = strings.Replace(texts["p0.c"], "int level;", fmt.Sprintf("int level = %d;", e.level), 1)
	texts["p0.c"] += strings.Join(e.behind, "")
	for _, at := range e.blank {
		lines := strings.SplitAfter(texts[at.file], "\n")
		texts[at.file] = strings.Join(slices.Insert(lines, min(at.line, len(lines)), "\n"), "")
	}
	return texts
}

// edit changes the project in one place, and says how.
func (e *edited) edit(r *rand.Rand) string {
	e.fresh++
	f := e.funcs[r.IntN(len(e.funcs))]
	all := spots(&f.body)
	switch r.IntN(13) {
	case 0:
		return "a constant of " + f.name + e.constant(r, f)
	case 1, 2:
		if len(all) > 0 {
			sp := all[r.IntN(len(all))]
			if (*sp.in)[sp.at].op != "label" {
				*sp.in = slices.Delete(*sp.in, sp.at, sp.at+1)
			}
		}
		return "a statement of " + f.name + " less"
	case 3:
		f.body = slices.Insert(f.body, 0, do(callTo("note", num(e.fresh))))
		return "a statement of " + f.name + " more"
	case 4:
		e.blank = append(e.blank, place{fileName(r.IntN(e.files)), 1 + r.IntN(20)})
		return "an empty line"
	case 5:
		return "a local of " + f.name + " renamed" + e.rename(f)
	case 6:
		e.members = append(e.members, fmt.Sprintf("\tint more%d;\n", e.fresh))
		return "a member more"
	case 7:
		e.header = append(e.header, fmt.Sprintf("#define MORE%d %d\nenum { more%d = %d };\n", e.fresh, e.fresh,
			e.fresh, e.fresh))
		return "a macro and an enumerator more"
	case 8:
		e.level++
		return "a global starts with another value"
	case 9:
		if !f.static {
			e.behind = append(e.behind, fmt.Sprintf("void (*hook%d)(void) = (void (*)(void))%s;\n", e.fresh, f.name))
		}
		return "the address of " + f.name + " taken"
	}
	kinds := slices.Sorted(maps.Keys(moreFunctions))
	more := kinds[r.IntN(len(kinds))]
	if more == "a function that gives a function" && f.static {
		more = "a function that stores"
	}
	e.behind = append(e.behind, strings.NewReplacer("%d", fmt.Sprint(e.fresh), "FUNCTION", f.name).
		Replace(moreFunctions[more]))
	return more
}

// moreFunctions are what may stand behind the first file.
var moreFunctions = map[string]string{
	"a function that stores":           "int more%d(int n) { level = n; return n + %d; }\n",
	"a function that gives an address": "int *more%d(void) { return &level; }\n",
	"a pointer to a global":            "int *more%d = &level;\n",
	"a function that declares": "int more%d(void) { extern int level; static int kept = %d; " +
		"return level + kept++; }\n",
	"a function that gives a function": "void *more%d(void) { return (void *)FUNCTION; }\n",
	"a call in another function":       "int more%d(int (*f)(int)) { note(%d); return f ? f(%d) : 0; }\n",
}

// constant changes a constant of a function, if it has one.
func (e *edited) constant(r *rand.Rand, f *function) string {
	var all []*expr
	each(f.body, func(x *expr) {
		if x.op == "int" {
			all = append(all, x)
		}
	})
	if all == nil {
		return ": none"
	}
	all[r.IntN(len(all))].n += 1 + r.IntN(3)
	return ""
}

// rename renames the first local of a function, if it has one.
func (e *edited) rename(f *function) string {
	if len(f.local) == 0 {
		return ": none"
	}
	from, to := f.local[0].name, fmt.Sprintf("other%d", e.fresh)
	f.local[0].name = to
	each(f.body, func(x *expr) {
		if x.op == "var" && x.name == from {
			x.name = to
		}
	})
	for _, sp := range spots(&f.body) {
		if s := (*sp.in)[sp.at]; s.name == from {
			s.name = to
		}
	}
	return ""
}

// takenOver is the remark that tells how many results of earlier checks stand.
var takenOver = regexp.MustCompile(`magus: (\d+) of \d+ results? taken over`)

// checkEdited is what a check of all rules of a project says, without what a clock says, and how many results it took
// over; "" where a limit of time was met.
func checkEdited(t *testing.T, dir string, texts map[string]string, rules []string, more ...string) (said,
	taken string) {
	var names []string
	for name, text := range texts {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
		if strings.HasSuffix(name, ".c") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	w := cli.System()
	var out, errs bytes.Buffer
	w.Dir, w.Stdout, w.Stderr, w.Terminal = input.Dir(dir), &out, &errs, false
	args := append([]string{"rules", "check", "--json", "--verbose", "--function-timeout", functionTime,
		"--inline-size", inlineSize}, more...)
	for _, rule := range rules {
		args = append(args, "--rule", rule)
	}
	status := cli.Main(t.Context(), append(args, names...), w)
	require.NotEqual(t, 70, status, errs.String())
	var doc any
	if json.Unmarshal(out.Bytes(), &doc) != nil { // it was not taken
		return errs.String(), "0"
	}
	if strings.Contains(out.String(), `"reasonKind": "time"`) {
		return "", ""
	}
	text, err := json.MarshalIndent(withoutTimes(doc), "", " ")
	require.NoError(t, err)
	if m := takenOver.FindStringSubmatch(errs.String()); m != nil {
		taken = m[1]
	}
	return string(text), taken
}

// withoutTimes is a document without what a clock says.
func withoutTimes(doc any) any {
	switch doc := doc.(type) {
	case map[string]any:
		maps.DeleteFunc(doc, func(name string, _ any) bool {
			return slices.Contains([]string{"seconds", "phases", "resources"}, name)
		})
		for _, x := range doc {
			withoutTimes(x)
		}
	case []any:
		for _, x := range doc {
			withoutTimes(x)
		}
	}
	return doc
}

// TestRandomEdits: after each of some random edits of a random project, a check that takes over results of those before
// says what one says that does not. Of a campaign the last line counts what was met.
func TestRandomEdits(t *testing.T) {
	sample.Long(t)
	count := tally{}
	for seed := range sample.Seeds(1, sample.Count(2)) {
		r := rand.New(rand.NewPCG(seed, 71))
		e := &edited{project: newProject(seed, false)}
		cached, fresh := t.TempDir(), t.TempDir()
		what := "no edit"
		for range 5 {
			texts := e.write()
			rules := e.words.rules
			with, taken := checkEdited(t, cached, texts, rules, "--cache", "kept")
			without, _ := checkEdited(t, fresh, texts, rules)
			count["checks"]++
			switch {
			case with == "" || without == "":
				count["out of time"]++
			case taken != "0" && taken != "":
				count["with results taken over"]++
			}
			if with != "" && without != "" && !assertSame(t, seed, what, without, with) {
				return
			}
			what = e.edit(r)
			count[regexp.MustCompile(` of \w+`).ReplaceAllString(what, "")]++
		}
	}
	t.Log(count)
	if !sample.Whole() {
		return
	}
	require.Positive(t, count["with results taken over"], "nothing is taken over")
}

func assertSame(t *testing.T, seed uint64, what, want, got string) bool {
	if want == got {
		return true
	}
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			t.Errorf("seed %d, behind %s: line %d is %q with results taken over, not %q", seed, what, i, b[i], a[i])
			return false
		}
	}
	t.Errorf("seed %d, behind %s: %d lines, not %d", seed, what, len(b), len(a))
	return false
}

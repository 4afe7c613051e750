package builtin

// The table of functions, and their prototypes.
//
// Source: the manuals of GCC 13 (Other Builtins, __atomic Builtins, __sync Builtins, Integer Overflow Builtins) and of
// clang 17 (Language Extensions). Cost: the text is read once, when it is first asked for.

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

//go:embed builtins.txt
var tableText string

// Prefix begins the names of most functions.
const Prefix = "__builtin_"

// A How is what is done with calls of a function.
type How string

// What is done with calls.
const (
	Computed How = "computed"
	Library  How = "library"
	Compiler How = "compiler"
	Hint     How = "hint"
	Ends     How = "end"
	Any      How = "any"
	Refused  How = "refused"
	Unread   How = "unread"
)

// A Row is a row of the table.
type Row struct {
	Section   string
	Pattern   string // of the names
	Names     []string
	Compilers []string
	How       How
	What      string
	declares  string
	types     []string // by name: the signed type that it ends in
}

// Known is the row of a function; false if there is none.
func Known(name string) (Row, bool) {
	r, ok := known()[name]
	return r, ok
}

var known = sync.OnceValue(func() map[string]Row {
	all := map[string]Row{}
	for _, r := range Rows() {
		for _, name := range r.Names {
			all[name] = r
		}
	}
	return all
})

// Rows are all rows, in the order of the table. They are not to be changed.
func Rows() []Row { return rows() }

var rows = sync.OnceValue(func() (rows []Row) {
	section := ""
	for line := range strings.Lines(tableText) {
		line = strings.TrimSpace(line)
		switch cells := strings.Split(line, " | "); {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			section = strings.Trim(line, "[]")
		default:
			r := Row{Section: section, Pattern: cells[0], declares: cells[1], Compilers: strings.Fields(cells[2]),
				How: How(cells[3]), What: cells[4]}
			r.expand()
			rows = append(rows, r)
		}
	}
	return rows
})

// expand finds the names that a row's pattern stands for.
func (r *Row) expand() {
	for _, pattern := range split(r.Pattern) {
		names := []string{""}
		last := []string{""} // what was chosen last, by name
		for part := range strings.SplitAfterSeq(pattern, "}") {
			plain, inner, choice := strings.Cut(strings.TrimSuffix(part, "}"), "{")
			var longer, chosen []string
			for i, name := range names {
				if !choice {
					longer, chosen = append(longer, name+plain), append(chosen, last[i])
					continue
				}
				for alternative := range strings.SplitSeq(inner, ",") {
					longer, chosen = append(longer, name+plain+alternative), append(chosen, alternative)
				}
			}
			names, last = longer, chosen
		}
		for i, name := range names {
			if !strings.HasPrefix(name, "__atomic_") && !strings.HasPrefix(name, "__sync_") &&
				!strings.HasPrefix(name, "__c11_") {
				name = Prefix + name
			}
			r.Names, r.types = append(r.Names, name), append(r.types, suffixed(last[i]))
		}
	}
}

// split are the patterns of a row.
func split(patterns string) (all []string) {
	depth, from := 0, 0
	for i, c := range patterns {
		switch {
		case c == '{':
			depth++
		case c == '}':
			depth--
		case c == ',' && depth == 0:
			all, from = append(all, patterns[from:i]), i+1
		}
	}
	return append(all, patterns[from:])
}

// suffixed is the signed type that the end of a name says.
func suffixed(end string) string {
	switch end {
	case "l":
		return "long"
	case "ll":
		return "long long"
	case "b":
		return "char"
	case "s":
		return "short"
	case "8", "16", "32", "64":
		return "__INT" + end + "_TYPE__"
	}
	return "int"
}

// Has reports whether one of the compilers has the function.
func (r Row) Has(compiler string) bool { return slices.Contains(r.Compilers, compiler) }

// own are the declarations of what macros are made of, and of no compiler.
const own = `void __magus_atomic_begin(void);
void __magus_atomic_end(void);
void __magus_access_begin(void);
void __magus_release_begin(void);
void __magus_access_end(void);
_Bool __magus_spurious(void);
long long __magus_plus(), __magus_minus(), __magus_or(), __magus_and(), __magus_xor(), __magus_nand();
long long __magus_max(), __magus_min(), __magus_any(), __magus_is_aligned(), __magus_align_up(), __magus_align_down();
#define __ATOMIC_RELAXED 0
#define __ATOMIC_CONSUME 1
#define __ATOMIC_ACQUIRE 2
#define __ATOMIC_RELEASE 3
#define __ATOMIC_ACQ_REL 4
#define __ATOMIC_SEQ_CST 5
`

// Declarations are the prototypes of the table, each in a line of its own, and what macros are made of.
func Declarations() string {
	var b strings.Builder
	b.WriteString(own)
	for _, r := range Rows() {
		if r.declares == "-" {
			continue
		}
		for i, name := range r.Names {
			text := strings.ReplaceAll(r.declares, "@", name)
			text = strings.ReplaceAll(text, "unsigned $", unsigned(r.types[i]))
			b.WriteString(strings.ReplaceAll(text, "$", r.types[i]) + "\n")
		}
	}
	return b.String()
}

// unsigned is the unsigned type for a signed one.
func unsigned(t string) string {
	if rest, ok := strings.CutPrefix(t, "__INT"); ok {
		return "__UINT" + rest
	}
	return "unsigned " + t
}

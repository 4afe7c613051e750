package libc

// The table of functions: what each of the C library and of POSIX reads, writes, keeps and frees, what it locks and
// gives, and whether two threads may call it at once.
//
// Source: ISO C11, clause 7; POSIX.1-2017, System Interfaces, 2.9.1 (thread-safety); the GNU C library's manual, for
// what libraries promise besides. Cost: the text is read once, when a function is first asked for.

import (
	_ "embed"
	"iter"
	"slices"
	"strings"
	"sync"
)

//go:embed functions.txt
var functionsText string

// A Function is a row of the table.
type Function struct {
	Name, Header string
	Accesses     []Access
	Lock         string // the argument, from 1, or the name of the stream that is locked; "" for none
	States       []State
	Result       string // any, done, many, char, count, det, =1, in1, new, new1, stack, handle, held, void, never
	Threads      string // yes, common, no, refused
	How          string // row, code, -
	cells        [4]string
}

// An AccessKind is what happens to what an argument points to.
type AccessKind byte

// The kinds of accesses.
const (
	Reads  AccessKind = 'r'
	Writes AccessKind = 'w'
	Atomic AccessKind = 'a'
	Keeps  AccessKind = 'k'
	Frees  AccessKind = 'x'
	Calls  AccessKind = 'c'
	Prints AccessKind = 'f' // a format, which says what is read
	Scans  AccessKind = 'g' // a format, which says what is written
)

// An Extent is how far an access goes.
type Extent byte

// The extents.
const (
	AsText   Extent = 's' // up to the character that ends a text
	AsBytes  Extent = 'n'
	AsObject Extent = 'o' // what the argument is declared to point to
	AsHandle Extent = 'h'
	AsNeeded Extent = 'e' // what the function needs: elements, or what is behind pointers there
)

// An Access is one to what an argument points to. Arguments are counted from 0.
type Access struct {
	Kind     AccessKind
	Arg      int
	Extent   Extent
	Of       int   // the argument whose text says how long this one becomes, or -1
	Appends  bool  // it begins where the text ends
	Objects  int   // how many objects in a row
	Size     []int // the arguments whose product is the number of bytes
	Limit    int   // the argument that says the most characters, or -1
	Maybe    bool  // it may be less
	Optional bool  // the argument may be NULL
}

// A State is something that the library keeps for all threads.
type State struct {
	Name  string
	Write bool
}

// lines are where the rows stand, by name: to read all of them takes longer than most programs.
var lines = sync.OnceValue(func() map[string]row {
	all := make(map[string]row, strings.Count(functionsText, "\n"))
	for r := range rows(functionsText) {
		name, _, _ := strings.Cut(r.line, " ")
		all[name] = r
	}
	return all
})

// Known is the row of a function; false if there is none.
func Known(name string) (Function, bool) {
	r, ok := lines()[name]
	if !ok {
		return Function{}, false
	}
	return readRow(r.header, strings.Fields(r.line)), true
}

// Functions are all rows, in the order of the table.
func Functions() (all []Function) {
	for r := range rows(functionsText) {
		all = append(all, readRow(r.header, strings.Fields(r.line)))
	}
	return all
}

// A row is a line of the table, and the header above it.
type row struct{ header, line string }

// rows are the lines of a table that are rows.
func rows(text string) iter.Seq[row] {
	return func(yield func(row) bool) {
		header := ""
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line)
			switch {
			case line == "" || line[0] == '#':
			case line[0] == '[':
				header = strings.Trim(line, "[]")
			case !yield(row{header, line}):
				return
			}
		}
	}
}

func readRow(header string, words []string) Function {
	n := len(words)
	f := Function{Name: words[0], Header: header, Result: words[n-3], Threads: words[n-2], How: words[n-1]}
	f.cells = [4]string{strings.Join(words[1:n-3], " "), f.Result, f.Threads, f.How}
	for _, w := range words[1 : n-3] {
		kind, rest := w[0], w[1:]
		switch kind {
		case '-':
		case 'L':
			f.Lock = rest
		case 'S', 'T':
			f.States = append(f.States, State{rest[1:], kind == 'T'})
		default:
			f.Accesses = append(f.Accesses, readAccess(AccessKind(kind), rest))
		}
	}
	return f
}

// readAccess reads an access behind its kind: 1=2*3, 2=s~<3.
func readAccess(kind AccessKind, text string) Access {
	arg, extent, _ := strings.Cut(text, "=")
	a := Access{Kind: kind, Arg: int(arg[0] - '1'), Of: -1, Limit: -1, Extent: AsBytes}
	for i, c := range extent {
		switch c {
		case '~':
			a.Maybe = true
		case '?':
			a.Optional = true
		case '+':
			a.Appends = true
		case 's', 'h', 'e':
			a.Extent = Extent(c)
		case 'o':
			a.Extent, a.Objects = AsObject, a.Objects+1
		case '*', '<':
		default:
			switch n := int(c - '1'); {
			case i > 0 && extent[i-1] == '<':
				a.Limit = n
			case a.Extent == AsText:
				a.Of = n
			default:
				a.Size = append(a.Size, n)
			}
		}
	}
	return a
}

// Arity is how many arguments the row speaks of.
func (f Function) Arity() int {
	n := 0
	for _, a := range f.Accesses {
		n = max(n, a.Arg+1, a.Of+1, a.Limit+1)
		for _, s := range a.Size {
			n = max(n, s+1)
		}
	}
	return n
}

// Has reports whether there is an access of a kind.
func (f Function) Has(kind AccessKind) bool {
	return slices.ContainsFunc(f.Accesses, func(a Access) bool { return a.Kind == kind })
}

// Format is the argument that is a format, or -1.
func (f Function) Format() int {
	for _, a := range f.Accesses {
		if a.Kind == Prints || a.Kind == Scans {
			return a.Arg
		}
	}
	return -1
}

// Allocates reports whether a call gives memory that its caller frees: as its result, which is NULL where there is
// none, or behind its first argument.
func (f Function) Allocates() bool { return f.Result == "new" || f.Result == "new1" }

// IsExact reports whether a call does what the function does in any library: a program that is compiled may call it.
func (f Function) IsExact() bool {
	switch f.Header {
	case "setjmp.h":
		return true
	case "pthread.h", "threads.h":
		return false
	}
	return f.How == "code" && f.Result != "any" || f.Result == "new1"
}

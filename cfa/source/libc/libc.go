package libc

// The files of models, and units that are made of parts of them.
//
// Idea: a unit has the definitions that are asked for and, transitively, those that
// they mention. Line markers, as a preprocessor writes them, keep the places in
// the files. Cost: linear in the text of the models.

import (
	"bytes"
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"

	"magus/internal/pattern"
)

//go:embed c/*.c
var files embed.FS

// Dir is the directory under which diagnostics show the files.
const Dir = "<libc>"

// File is the text of the file of models that diagnostics show as name; false if there is
// none.
func File(name string) ([]byte, bool) {
	dir, base := path.Split(name)
	if path.Clean(dir) != Dir {
		return nil, false
	}
	text, err := files.ReadFile("c/" + base)
	return text, err == nil
}

// AtExit is the function, among the models' own, that calls what atexit was given. A
// unit has it that has atexit.
const AtExit = "libc_run_handlers"

// AtThreadEnd is the function, among the models' own, that calls the destructors of keys. A
// unit has it that creates keys.
const AtThreadEnd = "libc_destroy_kept"

// A Model is a definition in a file.
type Model struct {
	Name string
	File string // stdlib.c
	Line int
	Text string
	// Head is the declarator of a function, "" of anything else.
	Head string
}

var (
	reFunction = pattern.New(`(?m)^[a-z_][^;={}]*?\b(\w+)\([^;{}]*\)\n\{`)
	reOther    = pattern.New(`(\w+)(?:\[[^\]]*\]|\([^()]*\))?(?: = [^;]*)?;\n*$`)
	reWord     = pattern.New(`[A-Za-z_]\w*`)
	reComment  = pattern.New(`(?s)^/\*.*?\*/\n`)
)

// Models are all models, by file and in the order there.
func Models() []Model {
	var all []Model
	entries, _ := files.ReadDir("c") // embedded: it is there
	for _, e := range entries {
		text, _ := files.ReadFile("c/" + e.Name())
		line := 1
		for _, part := range strings.SplitAfter(string(text), "\n\n") {
			if m, ok := model(strings.TrimRight(part, "\n") + "\n"); ok {
				m.File, m.Line = e.Name(), line
				all = append(all, m)
			}
			line += strings.Count(part, "\n")
		}
	}
	return all
}

// model is a definition; false for a comment that stands by itself.
func model(text string) (m Model, ok bool) {
	bare := reComment().ReplaceAllString(text, "")
	m.Text = text
	if f := reFunction().FindStringSubmatch(bare); f != nil {
		m.Name, m.Head = f[1], strings.TrimSuffix(f[0], "\n{")
		return m, true
	}
	if f := reOther().FindStringSubmatch(bare); f != nil {
		m.Name = f[1]
		return m, true
	}
	return m, false
}

// Public reports whether a model is a function of the C library, not one of the
// models' own.
func (m Model) Public() bool { return m.Head != "" && !strings.HasPrefix(m.Name, "libc_") }

// Summary is the first sentence of a model's comment.
func (m Model) Summary() string {
	c := reComment().FindString(m.Text)
	c = strings.Join(strings.Fields(strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(c), "/*"), "*/")), " ")
	first, _, _ := strings.Cut(c, ". ")
	return strings.TrimSuffix(first, ".")
}

// Names are the functions that have a model, sorted.
func Names() []string {
	var names []string
	for _, m := range Models() {
		if m.Public() {
			names = append(names, m.Name)
		}
	}
	slices.Sort(names)
	return names
}

// Modelled are those of some names that have a model. Mostly none has, which a look at the text shows.
func Modelled(names []string) []string {
	var text []byte
	entries, _ := files.ReadDir("c")
	for _, e := range entries {
		part, _ := files.ReadFile("c/" + e.Name())
		text = append(text, part...)
	}
	some := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !bytes.Contains(text, []byte(name)) })
	if len(some) == 0 {
		return nil
	}
	all := Names()
	return slices.DeleteFunc(some, func(name string) bool { return !slices.Contains(all, name) })
}

// Text is a model with the definitions that it needs, as people read it; false if
// there is none of that name.
func Text(name string) (string, bool) {
	var parts []string
	for _, m := range needed([]string{name}) {
		if m.Name != name {
			parts = append(parts, m.Text)
		}
	}
	for _, m := range Models() {
		if m.Name == name && m.Public() {
			return strings.Join(append(parts, m.Text), "\n"), true
		}
	}
	return "", false
}

// needed are models with all that they mention, in the order of the files.
func needed(names []string) []Model {
	all := Models()
	by := map[string]int{}
	for i, m := range all {
		by[m.Name] = i
	}
	take := make([]bool, len(all))
	var visit func(name string)
	visit = func(name string) {
		i, ok := by[name]
		if !ok || take[i] {
			return
		}
		take[i] = true
		for _, word := range reWord().FindAllString(reComment().ReplaceAllString(all[i].Text, ""), -1) {
			if j, found := by[word]; found && !all[j].Public() {
				visit(word)
			}
		}
	}
	for _, name := range names {
		visit(name)
		switch name {
		case "atexit":
			visit(AtExit)
		case "pthread_key_create", "tss_create":
			visit(AtThreadEnd)
		}
	}
	var some []Model
	for i, m := range all {
		if take[i] {
			some = append(some, m)
		}
	}
	return some
}

// Unit is the text of a unit, as a preprocessor writes it, with the models of some
// functions and what they need.
func Unit(names []string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# 1 %q\n%s", path.Join(Dir, "prelude"), prelude)
	for _, m := range needed(names) {
		fmt.Fprintf(&b, "# %d %q\n%s", m.Line, path.Join(Dir, m.File), m.Text)
	}
	return []byte(b.String())
}

// prelude has the types of models and what means something in models only.
const prelude = `typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ssize_t;
int *__errno_location(void);
int __builtin_tolower(int);
int __magus_int(void);
long __magus_long(void);
double __magus_double(void);
char *__magus_pointer(void);
int __magus_open_int(void);
long __magus_open_long(void);
int __magus_unknown_int(void);
long __magus_unknown_long(void);
long long __magus_unknown_long_long(void);
void *__magus_unknown_pointer(void);
long long __magus_number(const char *);
long __magus_number_end(const char *);
int __magus_error(void);
void __magus_assume(int);
void __magus_told(const char *);
void __magus_succeeds(void);
void __magus_memory(void *, size_t);
void __magus_blur(void *, size_t);
void __magus_object(void *);
void __magus_touch(const void *, size_t);
void __magus_output(const void *, size_t);
size_t __magus_steps();
size_t __magus_steps_if_known();
size_t __magus_steps_or_few();
void *__magus_handle(void);
void __magus_closed(void *);
void __magus_halt(void);
void __magus_wait(void);
int __magus_threads(void);
int __magus_thread(void);
void __magus_atomic_begin(void);
void __magus_atomic_end(void);
void __magus_undefined(const char *);
void __magus_unmodelled(const char *);
`

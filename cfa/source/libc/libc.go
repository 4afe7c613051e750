package libc

// The files of models, and units that are made of parts of them.
//
// Idea: a unit has the definitions that are asked for and, transitively, those that
// they mention. Line markers, as a preprocessor writes them, keep the places in
// the files. Cost: linear in the text of the models, once.

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"magus/internal/pattern"
)

//go:embed c/*.c long/*.c
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
	for _, folder := range []string{"c/", "long/"} {
		if text, err := files.ReadFile(folder + base); err == nil {
			return text, true
		}
	}
	return nil, false
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

// A library is the models, which are read when the first is asked for.
type library struct {
	all    []Model
	by     map[string]int
	public map[string]bool // the functions of the C library
	needs  [][]int         // by model: those of the models' own that it mentions
}

// models are those where long double is that of the x87.
var models = sync.OnceValue(func() library { return indexed(read()) })

// indexed are models that are found by name.
func indexed(all []Model) library {
	l := library{all: all, by: map[string]int{}, public: map[string]bool{}}
	for i, m := range l.all {
		l.by[m.Name] = i
		l.public[m.Name] = m.Public()
	}
	l.needs = make([][]int, len(l.all))
	for i, m := range l.all {
		for word := range strings.FieldsFuncSeq(reComment().ReplaceAllString(m.Text, ""), notWord) {
			if j, found := l.by[word]; found && !l.all[j].Public() {
				l.needs[i] = append(l.needs[i], j)
			}
		}
	}
	return l
}

// notWord reports whether a character is in no word.
func notWord(c rune) bool {
	return c != '_' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')
}

// Models are all models, by file and in the order there. They are not to be changed.
func Models() []Model { return models().all }

// read reads the files, and makes the models of quad.
func read() []Model {
	var all []Model
	entries, _ := files.ReadDir("c") // embedded: it is there
	for _, e := range entries {
		all = append(all, modelsOf("c/"+e.Name())...)
	}
	return append(all, quads(all)...)
}

// modelsOf are the definitions in a file.
func modelsOf(file string) []Model {
	var all []Model
	text, _ := files.ReadFile(file) // embedded: it is there
	line := 1
	for _, part := range strings.SplitAfter(string(text), "\n\n") {
		if m, ok := model(strings.TrimRight(part, "\n") + "\n"); ok {
			m.File, m.Line = path.Base(file), line
			all = append(all, m)
		}
		line += strings.Count(part, "\n")
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
	if !slices.ContainsFunc(names, mentioned) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !models().public[name] })
}

// mentioned reports whether a name, or that of the function of long double which one of _Float128 is made of, stands in
// some file.
func mentioned(name string) bool {
	if bare, ok := strings.CutSuffix(name, "f128"); ok {
		name = bare
	}
	entries, _ := files.ReadDir("c") // embedded: it is there
	return slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		text, _ := files.ReadFile("c/" + e.Name())
		return bytes.Contains(text, []byte(name))
	})
}

// Text is a model with the definitions that it needs, as people read it; false if
// there is none of that name.
func Text(name string) (string, bool) {
	var parts []string
	for _, m := range models().needed([]string{name}) {
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
func (l library) needed(names []string) []Model {
	take := make([]bool, len(l.all))
	var visit func(i int)
	visit = func(i int) {
		if !take[i] {
			take[i] = true
			for _, j := range l.needs[i] {
				visit(j)
			}
		}
	}
	visitName := func(name string) {
		if i, ok := l.by[name]; ok {
			visit(i)
		}
	}
	for _, name := range names {
		visitName(name)
		switch name {
		case "atexit":
			visitName(AtExit)
		case "pthread_key_create", "tss_create":
			visitName(AtThreadEnd)
		}
	}
	var some []Model
	for i, m := range l.all {
		if take[i] {
			some = append(some, m)
		}
	}
	return some
}

// Unit is the text of a unit, as a preprocessor writes it, with the models of some
// functions and what they need; long is the format of long double, x87, double or quad.
func Unit(names []string, long string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# 1 %q\n%s", path.Join(Dir, "prelude"), prelude)
	for _, m := range withLong(long).needed(names) {
		fmt.Fprintf(&b, "# %d %q\n%s", m.Line, path.Join(Dir, m.File), m.Text)
	}
	return []byte(b.String())
}

// prelude has the types of models and what means something in models only.
const prelude = `typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ssize_t;
typedef union { long double number; struct { unsigned long long significand; unsigned short exponent; } word; } libc_words;
typedef union { long double number; struct { unsigned long long low, high; } word; } libc_quad;
typedef union { _Float128 number; struct { unsigned long long low, high; } word; } libc_quadf128;
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
double __magus_unknown_double(void);
float __magus_unknown_float(void);
long double __magus_unknown_long_double(void);
_Float128 __magus_unknown_float128(void);
double __magus_remainder(double, double);
float __magus_remainderf(float, float);
unsigned long long __magus_bits(double);
unsigned int __magus_bitsf(float);
double __magus_number_of(unsigned long long);
float __magus_number_off(unsigned int);
double __magus_trunc(double), __magus_copysign(double, double);
float __magus_truncf(float), __magus_copysignf(float, float);
long double __magus_truncl(long double), __magus_copysignl(long double, long double);
_Float128 __magus_truncf128(_Float128), __magus_copysignf128(_Float128, _Float128);
long long __magus_number(const char *);
long __magus_number_end(const char *);
long __magus_text_end(const char *), __magus_text_endf(const char *), __magus_text_endl(const char *);
long __magus_text_endf128(const char *);
double __magus_text_number(const char *);
float __magus_text_numberf(const char *);
long double __magus_text_numberl(const char *);
_Float128 __magus_text_numberf128(const char *);
int __magus_text_error(const char *), __magus_text_errorf(const char *), __magus_text_errorl(const char *);
int __magus_text_errorf128(const char *);
int __magus_error(void);
void __magus_assume(int), __magus_known(int);
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
void *__magus_new(size_t);
int __magus_printed(void);
void __magus_closed(void *);
void __magus_halt(void);
void __magus_wait(void);
int __magus_threads(void);
int __magus_thread(void);
int __magus_early(void);
int __magus_deadlocks(void);
void __magus_atomic_begin(void);
void __magus_atomic_end(void);
void __magus_undefined(const char *);
void __magus_unmodelled(const char *);
`

package source

// Parsing: an adapter on the C front end library modernc.org/cc/v4.
//
// The library is run without any compiler: the tables of the data model's
// ABI, predefined macros and standard headers are our own, and files come
// through a file system of our own that reads nothing by itself. Its panics
// end here, its list of messages is brought into one form.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"

	"magus/cfa"
	"magus/cfa/source/preprocess"
	"magus/cfa/source/reword"
	"magus/internal/pattern"

	"modernc.org/cc/v4"
)

// A Source is one C file: a translation unit.
type Source struct {
	Name string
	Text []byte
	// Preprocessed says that a preprocessor wrote the text: its line markers
	// (# 17 "f.c") tell where things stand, and no macro or header is asked for.
	Preprocessed bool
	// For this unit only, before those of Options: where its headers are looked
	// for, its macros, and files that are read before it as if it included them.
	IncludeDirs, Defines, Undefs, Includes []string
	// Std is the standard as compilers call it (c99, gnu17), "" for gnu11. It
	// shows in predefined macros only; what C or GNU C has is always read.
	Std string
}

// Options say how sources are read. The zero value is the default.
type Options struct {
	Model cfa.DataModel
	// Evaluation is the format that floating-point operations are computed in, FLT_EVAL_METHOD: 0 that of their type, 1
	// at least double, 2 long double.
	Evaluation int
	// LongDouble is the format of long double.
	LongDouble  cfa.LongDouble
	IncludeDirs []string // searched for includes before the standard headers
	Defines     []string // NAME or NAME=VALUE
	Undefs      []string
	// Headers says where standard headers come from. HostDirs are where the
	// machine has those of its C library, in the order of the search, and
	// CompilerDirs where its compiler has some of its own: these are looked at
	// last, since what every C has comes with magus.
	Headers                Headers
	HostDirs, CompilerDirs []string
	// NoLibrary leaves functions of the C library that no source defines without
	// models.
	NoLibrary bool
	// ReadFile reads files that are included; nil: only our own headers exist.
	// A header is looked for in several places: an error other than
	// fs.ErrNotExist is shown if it is found in none.
	ReadFile func(name string) ([]byte, error)
}

const (
	maxExpansion = 20_000_000 // tokens
	maxCondition = 50_000     // tokens of one
)

// Parse reads, parses and type checks the sources, each a translation unit,
// and links them by name. Faults of the input are [cfa.Errors]; valid C that the
// library does not read is an [cfa.UnsupportedError].
func Parse(ctx context.Context, sources []Source, opt Options) (*Program, error) {
	p, err := parse(ctx, sources, opt)
	if err != nil {
		return nil, explained(sources, opt, err)
	}
	return p, nil
}

// parse is Parse with all that the library says.
func parse(ctx context.Context, sources []Source, opt Options) (*Program, error) {
	p := &Program{Model: opt.Model, Evaluation: opt.Evaluation, LongDouble: opt.LongDouble, ofSystem: opt.ofSystem}
	if len(sources) == 0 {
		return nil, cfa.Errors{{Msg: "no C source"}}
	}
	sources = slices.Clone(sources)
	for i, s := range sources {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for _, other := range sources[:i] {
			if other.Name == s.Name {
				return nil, cfa.Fault(cfa.Pos{File: s.Name}, "given twice")
			}
		}
		sources[i].Text = withoutMark(s.Text)
		f, err := readAny(ctx, sources[i], opt)
		if err != nil {
			return nil, err
		}
		p.Files = append(p.Files, f)
	}
	if err := p.alike(ctx, sources, opt); err != nil {
		return nil, err
	}
	p.Layouts = newLayouts(opt.Model)
	p.Layouts.long = opt.LongDouble
	p.Layouts.excess = opt.Model == cfa.ILP32 || opt.Evaluation != 0
	for _, f := range p.Files {
		if err := p.Layouts.read(ctx, f); err != nil {
			return nil, err
		}
	}
	for _, f := range p.Files {
		if err := p.Layouts.constraints(ctx, f, opt); err != nil {
			return nil, err
		}
	}
	if err := p.link(); err != nil {
		return nil, err
	}
	if err := p.addLibrary(ctx, opt); err != nil {
		return nil, err
	}
	return p, nil
}

// read reads one source. The library cannot be stopped: when ctx ends, it is
// left to itself, reads no more files, and what it makes is dropped.
func read(ctx context.Context, s Source, opt Options) (*File, error) {
	var reading sync.Mutex
	if readFile := opt.ReadFile; readFile != nil {
		opt.ReadFile = func(name string) ([]byte, error) {
			reading.Lock()
			defer reading.Unlock()
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			return readFile(name)
		}
	}
	type result struct {
		f   *File
		err error
	}
	done := make(chan result, 1)
	go func() {
		f, err := checked(ctx, s, opt)
		done <- result{f, err}
	}()
	select {
	case r := <-done:
		return r.f, r.err
	case <-ctx.Done():
		reading.Lock() // the last file has been read
		defer reading.Unlock()
		return nil, ctx.Err()
	}
}

// checked reads one source once nothing in its text speaks against it.
func checked(ctx context.Context, s Source, opt Options) (*File, error) {
	if err := checkText(s.Name, s.Text); err != nil {
		return nil, err
	}
	f, err := translate(ctx, s, opt)
	var failed *cfa.InternalError
	if errors.As(err, &failed) {
		err = diagnose(ctx, s, opt, failed)
	}
	if err != nil {
		err = asFault(s.locate(ctx, opt, err))
	}
	return f, err
}

// A unit is a source as the library takes it.
type unit struct {
	cfg     *cc.Config
	sources []cc.Source
	files   *fileSystem
	out     *preprocess.Output
}

// text is that of the source, preprocessed.
func (u *unit) text() []byte { return u.sources[len(u.sources)-1].Value.([]byte) }

// newUnit preprocesses a source and writes what is left as the library reads it.
func newUnit(ctx context.Context, s Source, opt Options) (*unit, error) {
	arch := "amd64"
	if opt.Model == cfa.ILP32 {
		arch = "386"
	}
	abi, err := cc.NewABI("linux", arch)
	if err != nil {
		return nil, err
	}
	abi.Types[HalfKind] = cc.AbiType{Size: 2, Align: 2, FieldAlign: 2}
	switch opt.LongDouble {
	case cfa.AsDouble:
		abi.Types[cc.LongDouble] = abi.Types[cc.Double]
	case cfa.Quad:
		abi.Types[cc.LongDouble] = cc.AbiType{Size: 16, Align: 16, FieldAlign: 16}
	}
	out, files, err := s.expanded(ctx, opt)
	if err != nil {
		return nil, err
	}
	macros, _ := predefined(opt, s.Std)
	macros, builtins := builtinsOf(macros, out.Tokens)
	cfg := &cc.Config{ABI: abi, FS: noFiles{}, FSOnly: true, ExpansionLimit: maxExpansion, UnsignedEnums: true,
		IgnoreNegativeShiftAmounts: true}
	return &unit{cfg, []cc.Source{
		{Name: "<predefined>", Value: macros},
		{Name: "<builtin>", Value: builtins},
		{Name: s.Name, Value: written(s.Name, out.Tokens)},
	}, files, out}, nil
}

// translate runs the library over one source.
func translate(ctx context.Context, s Source, opt Options) (f *File, err error) {
	defer func() {
		if r := recover(); r != nil {
			f, err = nil, &cfa.InternalError{Doing: "parsing " + s.Name, Value: r, Stack: string(debug.Stack())}
		}
	}()
	u, err := newUnit(ctx, s, opt)
	if err != nil {
		return nil, err
	}
	ast, err := cc.Translate(u.cfg, u.sources)
	if err != nil && lacksMessage(s, err) {
		ast, err = u.translateWith(withMessages)
	}
	if err != nil && assertionFails(err) {
		ast, err = u.translateWith(asEnumerators)
	}
	ast, err = u.withFirstNamed(ast, err)
	if err != nil {
		return nil, u.files.explain(libraryErrors(s, err))
	}
	ast = u.selected(ast, func(u *unit) (*cc.AST, error) { return cc.Translate(u.cfg, u.sources) })
	return &File{Name: s.Name, ast: ast, Asm: opt.assembles(u.out.Tokens), acts: mayAct(s.Text, ast),
		carries: mayCarry(s.Text, ast), own: u.files.own, saysWeak: saysWeak(u.text()),
		renames: bytes.Contains(u.text(), []byte(extnameMarker)),
		macros:  u.out.Macros, made: madeTokens(u.out.Tokens), parts: unitPartsOf(u.out.Tokens)}, nil
}

// assembles reports whether a unit has inline assembly, or names for the linker, of its own: what headers of
// the system have in themselves is about their own objects, what their macros make where they are used is not.
func (opt Options) assembles(tokens []preprocess.Token) bool {
	return slices.ContainsFunc(tokens, func(t preprocess.Token) bool {
		return (t.Text == "asm" || t.Text == "__asm" || t.Text == "__asm__") && !opt.ofSystem(t.File)
	})
}

// translateWith runs the library over the unit with some more macros, which it has from then on.
func (u *unit) translateWith(macros string) (*cc.AST, error) {
	u.sources = slices.Clone(u.sources)
	u.sources[0].Value = u.sources[0].Value.(string) + macros
	return cc.Translate(u.cfg, u.sources)
}

// diagnose finds out where the library failed, which it does after faults of
// the input that it then does not report: by bisection, the shortest text of
// whole lines from the beginning on which it fails too, or reports faults.
func diagnose(ctx context.Context, s Source, opt Options, failed *cfa.InternalError) error {
	result := error(failed)
	bad, err := s.bisect(ctx, func(part Source) bool {
		_, err := translate(ctx, part, opt)
		var errs cfa.Errors
		bad := errors.As(err, new(*cfa.InternalError)) || errors.As(err, &errs) && errs[0].Msg != endOfFile
		if bad {
			result = err
		}
		return bad
	})
	if err != nil {
		return err
	}
	if errors.As(result, &failed) {
		if strings.Contains(failed.Stack, "cc/v4.(*parser)") {
			return cfa.Fault(s.place(bad), "syntax error")
		}
		return &cfa.UnsupportedError{Pos: s.place(bad),
			What: "what stands here, which the C front end does not read", Hint: fmt.Sprint(failed.Value)}
	}
	return result
}

// bisect finds the first line up to which the text is bad, if all of it is, and
// if it is bad from somewhere on.
func (s Source) bisect(ctx context.Context, isBad func(Source) bool) (line int, err error) {
	ends := []int{0}
	for i, c := range s.Text {
		if c == '\n' || i == len(s.Text)-1 {
			ends = append(ends, i+1)
		}
	}
	good, bad := 0, len(ends)-1
	for good+1 < bad && ctx.Err() == nil {
		part, n := s, (good+bad)/2
		if part.Text = s.Text[:ends[n]]; isBad(part) {
			bad = n
		} else {
			good = n
		}
	}
	return bad, ctx.Err()
}

// endOfFile is the message for texts that stop too early.
const endOfFile = "unexpected end of the file"

// commandLine are the macros that the caller asks for. As with a compiler, a
// later definition replaces an earlier one.
func commandLine(s Source, opt Options) string {
	var b strings.Builder
	macros := func(defines, undefs []string) {
		for _, d := range defines {
			name, value, found := strings.Cut(d, "=")
			if !found {
				value = "1"
			}
			bare, _, _ := strings.Cut(name, "(")
			fmt.Fprintf(&b, "#undef %s\n#define %s %s\n", bare, name, value)
		}
		for _, u := range undefs {
			fmt.Fprintf(&b, "#undef %s\n", u)
		}
	}
	macros(s.Defines, s.Undefs)
	macros(opt.Defines, opt.Undefs)
	return b.String()
}

var (
	// reOrigin is where in its own sources the library noticed a fault.
	reOrigin = pattern.New(` \([a-z0-9_]+\.go:\d+:[^)]*\)|^[a-z0-9_]+\.go:\d+:\w*: `)
	// rePlace is a message with its place.
	rePlace = pattern.New(`^(.+?):(\d+):(\d+): (.*)$`)
	// reEnd is a fault that follows from an earlier one, if there is any.
	reEnd = pattern.New(`unexpected <?EOF>?`)
	// reUnmatched is a _Generic on a pointer whose type the library may not know.
	reUnmatched = pattern.New(`^failed to find a matching association for .*pointer`)
	// reUnread is the library's own confession.
	reUnread = pattern.New(`\bTODO\b|internal error|missed/failed type check`)
)

func lastLine(text []byte) []byte {
	text = bytes.TrimRight(text, "\n")
	return text[bytes.LastIndexByte(text, '\n')+1:]
}

// libraryErrors brings the library's messages into our form. What the library
// cannot read is not the user's fault.
func libraryErrors(s Source, err error) error {
	var list, atEnd cfa.Errors
	var untyped *cfa.UnsupportedError
	name := s.Name
	lines := s.lines()
	for _, line := range strings.Split(err.Error(), "\n") {
		line = strings.ReplaceAll(strings.TrimSpace(reOrigin().ReplaceAllString(line, "")), reword.Half, "_Float16")
		if line == "" {
			continue
		}
		e := cfa.Error{Pos: cfa.Pos{File: name}, Msg: line}
		if m := rePlace().FindStringSubmatch(line); m != nil {
			e.Pos.File = m[1]
			e.Pos.Line, _ = strconv.Atoi(m[2])
			e.Pos.Col, _ = strconv.Atoi(m[3])
			e.Msg = m[4]
		}
		if strings.HasPrefix(e.Msg, "unexpected 'typeof', expected type specifier") {
			e.Msg = "a typeof whose operand a macro begins with a qualifier is not read: write the qualifier behind the type"
		}
		u := mixedEnumeration(e)
		if reUnmatched().MatchString(e.Msg) {
			u = cfa.Unsupported(e.Pos, "_Generic here, in which the C front end finds no type", "add a default")
		}
		if u != nil {
			if untyped == nil {
				untyped = u
			}
			continue
		}
		if strings.Contains(e.Msg, "<invalid type>") && untyped != nil {
			continue // follows from it
		}
		if reUnread().MatchString(e.Msg) {
			if u := s.unread(e.Pos, e.Msg); untyped == nil || u.What == misused && untyped.What != misused {
				untyped = u
			}
			continue
		}
		switch {
		case reEnd().MatchString(e.Msg) || e.Pos.File == theEnd || e.Pos.File == name && e.Pos.Line > lines && !s.Marked():
			if e.Pos.File == name || e.Pos.File == theEnd {
				e.Pos = s.place(lines)
				e.Pos.Col = len(lastLine(s.Text)) + 1
			}
			atEnd = append(atEnd, cfa.Error{Pos: e.Pos, Msg: endOfFile})
		case !slices.Contains(list, e):
			list = append(list, e)
		}
	}
	switch {
	case len(list) > 0:
		return list
	case len(atEnd) > 0:
		return atEnd[:1]
	case untyped != nil:
		return untyped
	}
	return errors.New(name + ": " + err.Error())
}

package source

// A source on its way to the C library: preprocessed by our own preprocessor, reworded, and written so that each
// token has its place.
//
// Idea: the library reads line directives and counts columns. So a token is written in its own line and column;
// where that has been passed, as by what a macro makes, which all has one place, another line directive goes
// before it. White space that was not in the source is written as form feeds, which [Text] leaves out.
//
// After a unit's own text stands a declaration that means nothing: the library's
// parser skips what it does not expect and does not stop at the end of the
// text everywhere; at a declaration it does. There are a few of it, because
// what the parser expects may swallow the first ones.
//
// Cost: linear in the tokens.

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"magus/cfa"
	"magus/cfa/source/lex"
	"magus/cfa/source/preprocess"
	"magus/cfa/source/reword"
)

const (
	theEnd          = "<end>" // the file that what follows a text seems to be in
	lastDeclaration = "extern void __magus_end(void);"
	noSpace         = '\f' // white space that is not in the source
)

// expanded is a source whose tokens are as the library is to read them.
func (s Source) expanded(ctx context.Context, opt Options) (*preprocess.Output, *fileSystem, error) {
	out, files, err := s.preprocess(ctx, opt)
	switch {
	case err != nil:
	case files.err != nil:
		err = files.err
	case out.Err != nil:
		err = out.Err
	case out.Faults != nil:
		err = files.explain(out.Faults)
	default:
		err = tooDeep(out.Tokens)
	}
	if err != nil {
		return nil, files, err
	}
	if err := unreadBuiltin(out.Tokens); err != nil {
		return nil, files, err
	}
	if err := excessInfinity(out.Tokens, opt.Evaluation); err != nil {
		return nil, files, err
	}
	out.Tokens, err = reword.Run(out.Tokens, opt.LongDouble)
	return out, files, err
}

// excessInfinity refuses numbers that no double holds where constants are computed in long double: they are finite
// there, and are no infinities before they are stored.
func excessInfinity(tokens []preprocess.Token, evaluation int) error {
	if evaluation != 2 {
		return nil
	}
	for _, t := range tokens {
		if reword.IsInfinite(t.Token) {
			return cfa.Unsupported(t.Pos(), "the constant "+t.Text+" computed in long double",
				"append l, or write INFINITY")
		}
	}
	return nil
}

// preprocess runs the preprocessor over a source.
func (s Source) preprocess(ctx context.Context, opt Options) (*preprocess.Output, *fileSystem, error) {
	macros, ok := predefined(opt, s.Std)
	if !ok {
		return nil, nil, cfa.Fault(cfa.Pos{File: s.Name}, "no standard of C that is known: "+s.Std)
	}
	files := &fileSystem{read: opt.ReadFile}
	texts := []preprocess.Text{{Name: "<predefined>", Bytes: []byte(macros)}}
	if s.Preprocessed {
		files.read = nil
	} else {
		texts = append(texts, preprocess.Text{Name: "<command line>", Bytes: []byte(commandLine(s, opt))})
		for _, name := range s.Includes {
			text, err := files.text(name)
			if err != nil {
				return nil, nil, cfa.Fault(cfa.Pos{File: s.Name}, fmt.Sprintf("%s, which is to be included first: %v", name, err))
			}
			texts = append(texts, preprocess.Text{Name: name, Bytes: text})
		}
	}
	texts = append(texts, preprocess.Text{Name: s.Name, Bytes: s.Text})
	dirs := slices.Concat(s.IncludeDirs, opt.IncludeDirs)
	system := []string{headerDir}
	if opt.Headers == HostHeaders {
		system = slices.Concat(opt.HostDirs, system, opt.CompilerDirs)
	}
	version, gnu := standard(s.Std)
	return preprocess.Run(ctx, texts, preprocess.Config{
		Dialect: dialect(version, gnu), System: slices.Concat(dirs, system), Open: files.text, Has: has, Pragma: pragma,
		MaxTokens: maxExpansion, MaxCondition: maxCondition, C23: version >= "2020", Now: now,
	}), files, nil
}

func now() preprocess.Time {
	t := time.Now()
	return preprocess.Time{Date: t.Format("Jan _2 2006"), Clock: t.Format("15:04:05")}
}

// dialect is how the texts of a standard, given by its year and month, become tokens.
func dialect(version string, gnu bool) lex.Dialect {
	return lex.Dialect{
		Trigraphs: !gnu && version < "2020",
		NoDigraph: !gnu && version == "",
		NoUnicode: version < "1999" || !gnu && version < "2011",
		NoRaw:     version < "1999" || !gnu,
	}
}

// pragma is what stands in the place of a pragma.
func pragma(at preprocess.Token, words []preprocess.Token) (string, error) {
	switch words[0].Text {
	case "weak":
		if text := weakened(words[1:]); text != "" {
			return text, nil
		}
		return "", &cfa.UnsupportedError{Pos: at.Pos(), What: "this way to write #pragma weak"}
	case "redefine_extname":
		if text := renamed(words[1:]); text != "" {
			return text, nil
		}
		return "", &cfa.UnsupportedError{Pos: at.Pos(), What: "this way to write #pragma redefine_extname"}
	case "scalar_storage_order", "ms_struct":
		return "", &cfa.UnsupportedError{Pos: at.Pos(), What: "#pragma " + words[0].Text}
	case "pack":
		if marker := packed(words[1:]); marker != "" {
			return marker, nil
		}
		return "", &cfa.UnsupportedError{Pos: at.Pos(), What: "this way to write #pragma pack",
			Hint: "write numbers, in a line of its own"}
	}
	return "", nil
}

// written are tokens as the library reads them.
func written(name string, tokens []preprocess.Token) []byte {
	w := writer{file: name, line: 1, col: 1}
	for _, t := range tokens {
		w.token(t)
	}
	fmt.Fprintf(&w.out, "\n\n#line 1 %q\n%s\n", theEnd, strings.Repeat(lastDeclaration, 16))
	return w.out.Bytes()
}

// A writer knows which place the library will take the next byte to have.
type writer struct {
	out       bytes.Buffer
	file      string
	line, col int
	made      bool // the last token comes from a macro: nothing may be written right behind it
}

// token writes a token at its place.
func (w *writer) token(t preprocess.Token) {
	const near = 8 // lines that are left empty rather than counted anew
	switch {
	case t.File != w.file:
		fmt.Fprintf(&w.out, "\n#line %d %s\n", t.Line, quotedFile(t.File))
		w.file, w.line, w.col = t.File, t.Line, 1
	case t.Line < w.line || t.Line > w.line+near || w.wouldTouch(t):
		w.out.WriteString("\n#line ")
		w.out.WriteString(strconv.Itoa(t.Line))
		w.out.WriteByte('\n')
		w.line, w.col = t.Line, 1
	}
	for ; w.line < t.Line; w.line++ {
		w.out.WriteByte('\n')
		w.col = 1
	}
	blank := byte(' ')
	if !t.Space {
		blank = noSpace
	}
	for ; w.col < t.Col; w.col++ {
		w.out.WriteByte(blank)
	}
	w.out.WriteString(t.Text)
	w.col += len(t.Text)
	w.made = t.Macro
}

// wouldTouch reports whether a token of the line that is being written has no room, or would be read together with the
// token before, which it does not follow at once in the source: line directives give tokens of several lines one place.
func (w *writer) wouldTouch(t preprocess.Token) bool {
	return t.Line == w.line && (t.Col < w.col || t.Col == w.col && w.col > 1 && (t.Macro || w.made || t.Space || t.First))
}

// quotedFile is the name of a file as a line directive has it.
func quotedFile(name string) string { return `"` + strings.ReplaceAll(name, `"`, "'") + `"` }

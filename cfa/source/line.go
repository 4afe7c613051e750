package source

// Line directives whose number, or file, a macro gives (C11 6.10.4, paragraph 5).
//
// Idea: in place of such a directive stands a marked text, which the preprocessor expands as it
// would expand the directive's own; then the directive is written with what came of it. One
// after the other, since __LINE__ behind one depends on it. A directive that no preprocessing comes
// to stays as it is.
//
// Source: ours. Cost: the unit is preprocessed once for each of them.

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"magus/cfa"
)

const (
	lineBegins = "__magus_line"
	lineEnds   = "__magus_line_end"
)

// LineMacros reports whether a macro gives the number of a line directive that the preprocessor comes to:
// then [Origins] does not know where the lines behind it are said to stand.
func (s Source) LineMacros(ctx context.Context, opt Options) bool {
	s.Text = withoutMark(s.Text)
	numbered, err := s.withNumbers(ctx, opt)
	return err != nil || !bytes.Equal(numbered.Text, s.Text)
}

// A lineMacro is a line directive without a number.
type lineMacro struct {
	begin, end int    // in the text
	rest       string // behind the word
}

func lineMacros(text []byte) (all []lineMacro) {
	if !bytes.Contains(text, []byte("line")) {
		return nil
	}
	at := 0
	eachLine(text, func(line []byte, isDirective, _ bool) {
		if _, _, written := lineMarker(line); isDirective && !written {
			_, rest, _ := strings.Cut(string(line), "line")
			all = append(all, lineMacro{at, at + len(line), rest})
		}
		at += len(line)
		at += bytes.IndexByte(text[at:], '\n') + 1 // with a return before it
	})
	return all
}

// withNumbers is the source with the numbers of line directives that macros give.
func (s Source) withNumbers(ctx context.Context, opt Options) (Source, error) {
	for i := 0; ; { // each turn passes a directive, or writes it with a number
		all := lineMacros(s.Text)
		if i >= len(all) {
			return s, nil
		}
		if err := ctx.Err(); err != nil {
			return s, err
		}
		d := all[i]
		part := s
		part.Text = []byte(fmt.Sprintf("%s%s%s\n%s%s", s.Text[:d.begin], lineBegins, d.rest, lineEnds, s.Text[d.end:]))
		found, number := part.expanded(ctx, opt)
		directive := "#line " + number
		ok := reLineMarker().FindString(directive) == directive
		switch {
		case !found:
			i++
			continue
		case !ok:
			line := 1 + bytes.Count(s.Text[:d.begin], []byte("\n"))
			return s, cfa.Fault(s.place(line), "#line without a number")
		}
		s.Text = []byte(fmt.Sprintf("%s%s%s", s.Text[:d.begin], directive, s.Text[d.end:]))
	}
}

// expanded is what the preprocessor makes of the marked text, and whether it comes to it.
func (s Source) expanded(ctx context.Context, opt Options) (found bool, text string) {
	var tokens []string
	inside := false
	_ = s.preprocess(opt, func(token []byte) (int, error) { // the parser meets faults too
		switch word := string(bytes.TrimSpace(token)); {
		case ctx.Err() != nil:
			return 0, ctx.Err()
		case word == lineBegins:
			found, inside, tokens = true, true, nil
		case word == lineEnds:
			inside = false
		case inside && word != "":
			tokens = append(tokens, word)
		}
		return len(token), nil
	})
	return found, strings.Join(tokens, " ")
}

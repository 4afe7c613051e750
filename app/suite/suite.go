package suite

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"magus/internal/phrase"
)

// A Suite is a list of groups; the first one has no name if there are claims outside groups.
type Suite struct {
	Groups []Group
}

// A Group is claims under a name.
type Group struct {
	Name   string
	Claims []Claim
}

// A Claim is what is asked about files, and what is expected.
type Claim struct {
	Name    string // what is claimed, for people
	Line    int    // of the suite; 0: not known
	Files   []string
	Options []Option // of magus check, sorted by name
	Verdict string   // conforms, violates, unknown
	Trace   []string // of the violation; nil: whichever
}

// An Option is an option of a check by its name without dashes.
type Option struct{ Name, Value string }

// The document as it is written.
type (
	document struct {
		Files   []string       `toml:"files"`
		Options map[string]any `toml:"options"`
		Claims  []claim        `toml:"claim"`
		Groups  []group        `toml:"group"`
	}
	group struct {
		Name    string         `toml:"name"`
		Files   []string       `toml:"files"`
		Options map[string]any `toml:"options"`
		Claims  []claim        `toml:"claim"`
	}
	claim struct {
		Name          string         `toml:"name"`
		Files         []string       `toml:"files"`
		Options       map[string]any `toml:"options"`
		Procedure     string         `toml:"procedure"`
		Specification string         `toml:"specification"`
		Verdict       string         `toml:"verdict"`
		Trace         []string       `toml:"trace"`
	}
)

// keys are the keys of a table by its path.
var keys = map[string][]string{
	"":            {"claim", "files", "group", "options"},
	"group":       {"claim", "files", "name", "options"},
	"claim":       {"files", "name", "options", "procedure", "specification", "trace", "verdict"},
	"group.claim": {"files", "name", "options", "procedure", "specification", "trace", "verdict"},
}

// Parse reads a suite; name is that of the file in messages.
func Parse(name string, text []byte) (*Suite, error) {
	var d document
	meta, err := toml.Decode(string(text), &d)
	var wrong toml.ParseError
	switch {
	case errors.As(err, &wrong):
		return nil, fmt.Errorf("%s:%d: %s", name, wrong.Position.Line, wrong.Message)
	case err != nil:
		return nil, fmt.Errorf("%s: %s", name, strings.TrimPrefix(err.Error(), "toml: "))
	}
	for _, key := range meta.Undecoded() {
		table := strings.Join(key[:len(key)-1], ".")
		return nil, fmt.Errorf("%s: no key %s%s", name, key, phrase.Suggest(key[len(key)-1], keys[table]))
	}
	r := &reader{name: name, lines: headers(string(text))}
	var s Suite
	if len(d.Claims) > 0 {
		d.Groups = append([]group{{Claims: d.Claims}}, d.Groups...)
	}
	for i, g := range d.Groups {
		kind := "group.claim"
		if i == 0 && len(d.Claims) > 0 {
			kind = "claim"
		} else if g.Name == "" {
			return nil, fmt.Errorf("%s: a group has no name", name)
		}
		one := Group{Name: g.Name}
		for _, c := range g.Claims {
			read, err := r.claim(kind, c, []tables{{d.Files, d.Options}, {g.Files, g.Options}})
			if err != nil {
				return nil, err
			}
			one.Claims = append(one.Claims, *read)
		}
		s.Groups = append(s.Groups, one)
	}
	if len(s.Groups) == 0 {
		return nil, fmt.Errorf("%s: the suite has no claims; a claim begins with [[claim]]", name)
	}
	return &s, nil
}

// header is a line that begins a claim.
var header = regexp.MustCompile(`(?m)^[ \t]*\[\[[ \t]*(group[ \t]*\.[ \t]*)?claim[ \t]*\]\]`)

// headers are the lines at which claims begin, by the kind of their table.
func headers(text string) map[string][]int {
	lines := map[string][]int{}
	for _, at := range header.FindAllStringSubmatchIndex(text, -1) {
		kind := "claim"
		if at[2] >= 0 {
			kind = "group.claim"
		}
		lines[kind] = append(lines[kind], strings.Count(text[:at[0]], "\n")+1)
	}
	return lines
}

// tables is what is said for several claims.
type tables struct {
	files   []string
	options map[string]any
}

// A reader makes claims of what is written.
type reader struct {
	name  string
	lines map[string][]int // of claims that are still to come
}

// claim makes a claim; the outer tables go from the outermost to the innermost.
func (r *reader) claim(kind string, c claim, outer []tables) (*Claim, error) {
	read := &Claim{Name: c.Name, Verdict: c.Verdict, Trace: c.Trace}
	if rest := r.lines[kind]; len(rest) > 0 {
		read.Line, r.lines[kind] = rest[0], rest[1:]
	}
	fail := func(format string, args ...any) (*Claim, error) {
		place := r.name
		if read.Line > 0 {
			place += fmt.Sprintf(":%d", read.Line)
		}
		return nil, fmt.Errorf("%s: %s", place, fmt.Sprintf(format, args...))
	}
	options := map[string]string{}
	for _, t := range append(outer, tables{c.Files, c.Options}) {
		if t.files != nil {
			read.Files = t.files
		}
		for _, name := range slices.Sorted(maps.Keys(t.options)) {
			text, err := optionText(t.options[name])
			if err != nil {
				return fail("option %s: %v", name, err)
			}
			options[name] = text
		}
	}
	for name, value := range map[string]string{"procedure": c.Procedure, "specification": c.Specification} {
		if value != "" {
			options[name] = value
		}
	}
	for _, name := range slices.Sorted(maps.Keys(options)) {
		read.Options = append(read.Options, Option{name, options[name]})
	}
	verdicts := []string{"conforms", "violates", "unknown"}
	switch {
	case len(read.Files) == 0:
		return fail("the claim has no files")
	case c.Verdict == "":
		return fail("the claim has no verdict: conforms, violates or unknown")
	case !slices.Contains(verdicts, c.Verdict):
		hint := phrase.Suggest(c.Verdict, verdicts)
		if hint == "" {
			hint = "; there are conforms, violates, unknown"
		}
		return fail("no verdict %s%s", c.Verdict, hint)
	case c.Trace != nil && c.Verdict != "violates":
		return fail("only a violation has a trace")
	}
	return read, nil
}

// optionText is a value as it is written on a command line.
func optionText(v any) (string, error) {
	switch v := v.(type) {
	case string:
		return v, nil
	case bool, int64:
		return fmt.Sprint(v), nil
	}
	return "", errors.New("expected a text, a number, true or false")
}

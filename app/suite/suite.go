package suite

import (
	"errors"
	"fmt"
	"maps"
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
	if err != nil {
		return nil, mistake(name, string(text), err)
	}
	for _, key := range meta.Undecoded() {
		return nil, unknown(name, string(text), key)
	}
	r := &reader{name: name, tables: tablesOf(string(text))}
	if err := r.options(); err != nil {
		return nil, err
	}
	var s Suite
	if len(d.Claims) > 0 {
		d.Groups = append([]group{{Claims: d.Claims}}, d.Groups...)
	}
	for i, g := range d.Groups {
		kind := "group.claim"
		if i == 0 && len(d.Claims) > 0 {
			kind = "claim"
		} else if g.Name == "" {
			return nil, fmt.Errorf("%s: a group has no name", r.group(i, len(d.Claims) > 0).at.in(name))
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

// tables is what is said for several claims.
type tables struct {
	files   []string
	options map[string]any
}

// A reader makes claims of what is written.
type reader struct {
	name   string
	tables []*table       // of the text
	read   map[string]int // how many claims of a kind have been read
}

// options refuses options that are no table, which the library passes over.
func (r *reader) options() error {
	for _, t := range r.tables {
		for _, k := range t.keys {
			if k.path == "options" && keys[t.path] != nil && !strings.HasPrefix(k.text, "{") {
				return fmt.Errorf("%s: options: expected %s", k.value.in(r.name), wanted("map"))
			}
		}
	}
	return nil
}

// next is the table of the next claim of a kind; an empty one if it has none of its own.
func (r *reader) next(kind string) *table {
	if r.read == nil {
		r.read = map[string]int{}
	}
	r.read[kind]++
	return r.table(kind, r.read[kind])
}

// table is the nth table of that path, from 1.
func (r *reader) table(path string, n int) *table {
	for _, t := range r.tables {
		if t.path != path {
			continue
		}
		if n--; n == 0 {
			return t
		}
	}
	return &table{}
}

// group is the table of group i; before all of them may stand the claims outside of groups.
func (r *reader) group(i int, outside bool) *table {
	if outside {
		i--
	}
	return r.table("group", i+1)
}

// claim makes a claim; the outer tables go from the outermost to the innermost.
func (r *reader) claim(kind string, c claim, outer []tables) (*Claim, error) {
	read := &Claim{Name: c.Name, Verdict: c.Verdict, Trace: c.Trace}
	own := r.next(kind)
	read.Line = own.at.line
	fail := func(about, format string, args ...any) (*Claim, error) {
		at := own.at
		if k, ok := own.find(about); ok {
			at = k.value
		}
		return nil, fmt.Errorf("%s: %s", at.in(r.name), fmt.Sprintf(format, args...))
	}
	options := map[string]string{}
	for _, t := range append(outer, tables{c.Files, c.Options}) {
		if t.files != nil {
			read.Files = t.files
		}
		for _, name := range slices.Sorted(maps.Keys(t.options)) {
			text, err := optionText(t.options[name])
			if err != nil {
				return fail("options."+name, "option %s: %v", name, err)
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
		return fail("files", "the claim has no files")
	case c.Verdict == "":
		return fail("verdict", "the claim has no verdict: conforms, violates or unknown")
	case !slices.Contains(verdicts, c.Verdict):
		hint := phrase.Suggest(c.Verdict, verdicts)
		if hint == "" {
			hint = "; there are conforms, violates, unknown"
		}
		return fail("verdict", "no verdict %s%s", c.Verdict, hint)
	case c.Trace != nil && c.Verdict != "violates":
		return fail("trace", "only a violation has a trace")
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

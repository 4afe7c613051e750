package harness

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"magus/cfa"
	"magus/cfa/source"
	"magus/evidence/witness"
)

//go:embed c/runtime.c
var runtime string

// Settings are how the sources are compiled.
type Settings struct {
	Defines, Undefs []string // of all units, after those of each
}

// Write is the text of the replaying program.
func Write(r *witness.Inputs, units []source.Source, set Settings) []byte {
	w := &writer{replay: r, units: units, set: set, sites: map[site]int{},
		names: map[string]map[string]string{}, begins: map[int]bool{},
		lines: map[string][]line{}, files: map[string]bool{}}
	if r.Schedule != nil {
		return []byte(w.threads())
	}
	w.read()
	w.rename()
	body := w.body()
	var b strings.Builder
	w.comment(&b)
	b.WriteString("#pragma GCC diagnostic ignored \"-Wpragmas\"\n")
	w.tables(&b)
	b.WriteString(runtime)
	if w.together() {
		b.WriteString(togetherRuntime)
	} else {
		b.WriteString(oneByOne)
	}
	b.WriteString(body)
	return []byte(b.String())
}

// A site is where the program asks for values: a function, by its name, or the
// declaration of a variable, by its place.
type site struct {
	name string
	pos  cfa.Pos
}

type writer struct {
	replay  *witness.Inputs
	units   []source.Source
	set     Settings
	sites   map[site]int
	order   []site
	names   map[string]map[string]string // by unit and name: what a name of file scope is called
	lines   map[string][]line            // by unit
	files   map[string]bool              // that are the program's own text
	begins  map[int]bool                 // components whose parameters are set in the body
	edited  []string                     // the changes to the text
	missing []string
	actions []string // of the slots, in their order
}

// rename decides what the program's names of file scope are called here, so
// that they clash neither with each other nor with the program itself.
func (w *writer) rename() {
	type owner struct {
		name, unit string
		static     bool
		own        bool // not in a header, which is there once
	}
	var all []owner
	for _, f := range w.replay.Functions {
		if f.Body.IsValid() {
			all = append(all, owner{f.Name, f.File, f.Static, w.files[f.Pos.File]})
		}
	}
	for _, v := range w.replay.Variables {
		if v.Static || v.Defined {
			all = append(all, owner{v.Name, v.File, v.Static, w.files[v.Pos.File]})
		}
	}
	for _, s := range w.units {
		w.names[s.Name] = map[string]string{}
	}
	for _, o := range all {
		if !o.static {
			for _, s := range w.units {
				if w.names[s.Name][o.name] == "" {
					w.names[s.Name][o.name] = "program_" + o.name
				}
			}
		}
	}
	for _, s := range w.units {
		for _, f := range w.replay.Functions {
			if w.failing() && allocates(f) && w.names[s.Name][f.Name] == "" {
				w.names[s.Name][f.Name] = "magus_" + f.Name
			}
		}
	}
	for _, o := range all {
		if i := slices.IndexFunc(w.units, func(s source.Source) bool { return s.Name == o.unit }); o.static &&
			i >= 0 && o.own {
			w.names[o.unit][o.name] = fmt.Sprintf("unit%d_%s", i+1, o.name)
		}
	}
}

// failing reports whether an allocation fails in the run.
func (w *writer) failing() bool {
	for _, p := range w.replay.Components {
		for _, c := range p.Choices {
			if c.Name == witness.Allocation && c.Called && c.Value != 0 {
				return true
			}
		}
	}
	return false
}

// called is what a unit's name of file scope is called here.
func (w *writer) called(unit, name string) string {
	if as := w.names[unit][name]; as != "" {
		return as
	}
	return name
}

// site numbers a place that asks for values.
func (w *writer) site(name string, pos cfa.Pos) int {
	s := site{name, pos}
	n, ok := w.sites[s]
	if !ok {
		n = len(w.order)
		w.sites[s], w.order = n, append(w.order, s)
	}
	return n
}

func choiceSite(c witness.Choice) site {
	if c.Called {
		return site{name: c.Name}
	}
	return site{c.Name, c.Pos}
}

// comment is the beginning of the file.
func (w *writer) comment(b *strings.Builder) {
	var names []string
	for _, s := range w.units {
		names = append(names, s.Name)
	}
	fmt.Fprintf(b, "/* Written by magus check --harness: replays a violation.\n\n   claim: %s\n   sources: %s\n",
		harmless(w.replay.Claim), harmless(strings.Join(names, ", ")))
	for _, p := range w.replay.Components {
		fmt.Fprintf(b, "   %s performs: %s\n", p.Name, harmless(strings.Join(p.Trace, " ")))
		if p.Endless {
			fmt.Fprintf(b, "   %s goes on for ever then, without an action\n", p.Name)
		}
	}
	if w.replay.Forbidden != "" {
		fmt.Fprintf(b, "   not allowed: %s\n", harmless(w.replay.Forbidden))
	}
	if w.replay.GoesOn {
		fmt.Fprintf(b, "   What comes again and again is executed %d times, or seen not to end in two seconds.\n",
			witness.Rounds)
	}
	b.WriteString("\n   Exit status: 1 the program performed these actions; 2 it did something else")
	if len(w.missing) > 0 {
		b.WriteString(",\n   or 3, because of what cannot be given to compiled code:\n")
		for _, m := range w.missing {
			fmt.Fprintf(b, "     %s\n", harmless(m))
		}
	} else {
		b.WriteString(".\n")
	}
	if len(w.edited) > 0 {
		b.WriteString("\n   Changed in the text of the program:\n")
		for _, e := range w.edited {
			fmt.Fprintf(b, "     %s\n", harmless(e))
		}
	}
	b.WriteString("*/\n")
}

// harmless is text that may stand in a comment.
func harmless(text string) string {
	return strings.NewReplacer("*/", "* /", "/*", "/ *", "\n", " ").Replace(text)
}

// tables are the values and actions of the run.
func (w *writer) tables(b *strings.Builder) {
	fmt.Fprintf(b, "enum { magus_components = %d, magus_sites = %d };\n", len(w.replay.Components), max(1, len(w.order)))
	b.WriteString("struct magus_choice { int site; unsigned long long value; const char *const *actions; " +
		"int object, open; };\n")
	b.WriteString("struct magus_again { int first, last; unsigned long long times; };\n")
	missing := "0"
	if len(w.missing) > 0 {
		missing = quote("not replayable: " + strings.Join(w.missing, "; ") + "\n")
	}
	fmt.Fprintf(b, "static const char *const magus_missing = %s;\n", missing)
	traps := 0
	if w.replay.Overflows {
		traps = 1
	}
	fmt.Fprintf(b, "static const int magus_traps = %d;\n", traps)
	var channels []string
	for _, c := range w.replay.Channels {
		channels = append(channels, fmt.Sprintf("{ %s, %d }", quote(c.Name), c.Bits))
	}
	fmt.Fprintf(b, "static const struct { const char *name; int bits; } magus_channels[] = { %s };\n",
		strings.Join(append(channels, "{ 0, 0 }"), ", "))
	var names, choices, agains, traces, routines []string
	for i, p := range w.replay.Components {
		names = append(names, quote(p.Name))
		traces, choices = append(traces, fmt.Sprintf("magus_trace%d", i)), append(choices, fmt.Sprintf("magus_choices%d", i))
		agains = append(agains, fmt.Sprintf("magus_agains%d", i))
		w.component(b, i, p)
	}
	w.stands(b)
	w.meetings(b)
	for _, s := range w.order {
		routine := "0"
		if s.pos == (cfa.Pos{}) && slices.Contains(w.replay.Routines, s.name) {
			routine = "1"
		}
		routines = append(routines, routine)
	}
	fmt.Fprintf(b, "static const char *const magus_names[] = { %s };\n", strings.Join(names, ", "))
	fmt.Fprintf(b, "static const char *const *const magus_traces[] = { %s };\n", strings.Join(traces, ", "))
	fmt.Fprintf(b, "static const struct magus_choice *const magus_choices[] = { %s };\n", strings.Join(choices, ", "))
	fmt.Fprintf(b, "static const struct magus_again *const magus_agains[] = { %s };\n", strings.Join(agains, ", "))
	fmt.Fprintf(b, "static const char magus_routine[] = { %s };\n\n", strings.Join(append(routines, "0"), ", "))
}

// component is the trace of component i, its choices, and those that rounds of loops repeat.
func (w *writer) component(b *strings.Builder, i int, p witness.ComponentInputs) {
	fmt.Fprintf(b, "static const char *const magus_trace%d[] = { %s };\n", i,
		strings.Join(append(quoted(p.Trace), "0"), ", "))
	var rows []string
	for k, c := range p.Choices {
		acts := "0"
		if len(c.Actions) > 0 {
			acts = fmt.Sprintf("magus_actions%d_%d", i, k)
			fmt.Fprintf(b, "static const char *const %s[] = { %s };\n", acts,
				strings.Join(append(quoted(c.Actions), "0"), ", "))
		}
		at := "magus_sites" // nobody asks for it
		if n, ok := w.sites[choiceSite(c)]; ok {
			at = strconv.Itoa(n)
		}
		object := 0
		if c.Called && c.Value != 0 && slices.ContainsFunc(w.replay.Functions,
			func(f source.Function) bool { return f.Name == c.Name && f.Pointer }) {
			object = 1
		}
		open := 0
		if c.Open {
			open = 1
		}
		rows = append(rows, fmt.Sprintf("\t{ %s, 0x%xull, %s, %d, %d }, /* %s %v */\n", at, c.Value, acts,
			object, open, harmless(c.Name), c.Pos))
	}
	fmt.Fprintf(b, "static const struct magus_choice magus_choices%d[] = {\n%s\t{ -1, 0, 0, 0, 0 }\n};\n", i,
		strings.Join(rows, ""))
	fmt.Fprintf(b, "static const struct magus_again magus_agains%d[] = {\n", i)
	for _, r := range p.Again {
		fmt.Fprintf(b, "\t{ %d, %d, %dull }, /* choices of rounds of a loop */\n", r.First, r.Last, r.Times)
	}
	b.WriteString("\t{ 0, 0, 0 }\n};\n")
}

// stands are where the components stand still behind their parts of the run.
func (w *writer) stands(b *strings.Builder) {
	b.WriteString("enum { magus_goes_on, magus_waits, magus_has_ended, magus_waits_for_ever, magus_goes_round };\n")
	var kinds, offers, sites []string
	for i, p := range w.replay.Components {
		kind, in, all := "magus_goes_on", "-1", []string{"0"}
		if p.Endless {
			kind = "magus_goes_round"
		}
		if s := p.Stand; s != nil {
			switch {
			case s.Ended:
				kind = "magus_has_ended"
			case len(s.Offers) == 0:
				kind = "magus_waits_for_ever"
			default:
				kind, all = "magus_waits", append(quoted(s.Offers), "0")
			}
			if n, ok := w.sites[site{name: s.Routine}]; ok {
				in = strconv.Itoa(n)
			}
		}
		fmt.Fprintf(b, "static const char *const magus_offers%d[] = { %s };\n", i, strings.Join(all, ", "))
		kinds, offers, sites = append(kinds, kind), append(offers, fmt.Sprintf("magus_offers%d", i)), append(sites, in)
	}
	fmt.Fprintf(b, "static const int magus_stand_kind[] = { %s };\n", strings.Join(kinds, ", "))
	fmt.Fprintf(b, "static const char *const *const magus_offers[] = { %s };\n", strings.Join(offers, ", "))
	fmt.Fprintf(b, "static const int magus_stand_site[] = { %s }; /* a routine, by its site */\n",
		strings.Join(sites, ", "))
}

func quoted(words []string) []string {
	var out []string
	for _, s := range words {
		out = append(out, quote(s))
	}
	return out
}

// quote writes a string of C.
func quote(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(text) {
		switch c := text[i]; {
		case c == '"' || c == '\\' || c == '?':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c >= 0x7f:
			fmt.Fprintf(&b, "\\%03o", c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

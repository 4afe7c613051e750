package job

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"magus"
	"magus/app/input"
	"magus/app/options"
	"magus/cfa"
	"magus/evidence/certificate"
	"magus/internal/pattern"
	"magus/internal/phrase"
	"magus/specs"
)

// A Question is what is checked: the files that were read, and the claims that
// are asked about.
type Question struct {
	Program *input.Program
	Project Project
	Claims  []*magus.Claim

	options *options.Options
	table   options.Table
	texts   []input.Text // that were read
}

// Ask reads the named files and selects the claims. The error is an [input.Error],
// an [options.UsageError], a reason for an unknown verdict (see [magus.Undecided]), or a
// fault; there may be a question nevertheless, without claims.
func Ask(ctx context.Context, h Host, o *options.Options, files []string) (*Question, error) {
	if err := Validate(h, o, files); err != nil {
		return nil, err
	}
	settings := o.Reading()
	settings.Overlay, settings.Seen = h.Overlay, h.Seen
	p, err := input.Read(h.Dir, settings, files)
	if err != nil {
		return nil, err
	}
	q := &Question{Program: p, options: o, table: h.Options()}
	if q.Project, err = h.Engine.Load(ctx, Input(p)); err != nil {
		return nil, severalPrograms(p, Mistake(ctx, err))
	}
	q.texts = p.Sources.Texts()
	q.Claims, err = Claims(q.Project, o)
	return q, err
}

// warnings are those of the project, but for programs without specifications of which something else is asked.
func (q *Question) warnings() []cfa.Warning {
	return slices.DeleteFunc(q.Project.Warnings(), func(w cfa.Warning) bool {
		return w.Text == specs.NoSpecification &&
			slices.ContainsFunc(q.Claims, func(c *magus.Claim) bool { return c.Pos == w.Pos })
	})
}

// Read are the texts that were read.
func (q *Question) Read() []input.Text { return q.texts }

// Missed are the names under which nothing was read that was looked for.
func (q *Question) Missed() []input.Missed { return q.Program.Sources.Missed() }

// severalPrograms adds to a mistake that the files of several programs are read,
// which may be why functions are defined twice.
func severalPrograms(p *input.Program, err error) error {
	var mistake *input.Error
	switch {
	case !errors.As(err, &mistake):
	case len(p.Targets) > 1:
		return input.Errorf("%s\nthe files of several targets are read: %s; --output NAME takes those of one",
			mistake.Message, phrase.Few(p.Targets, 8))
	case secondMain().MatchString(mistake.Message):
		return input.Errorf("%s\nthe files are those of several programs, for each has one main: name the files of one",
			mistake.Message)
	}
	return err
}

// secondMain is the mistake of a program that has two functions main.
var secondMain = pattern.New(`(?m): main is defined a second time, first at `)

// Validate finds options and files that contradict each other or leave nothing to
// do. What is wrong with the files themselves is said when they are read.
func Validate(h Host, o *options.Options, files []string) error {
	if err := ValidateReading(h, o, files); err != nil || Asks(o, files) {
		return err
	}
	if _, _, err := input.NewSources(h.Dir).Parts(files); err != nil { // perhaps it is a name that is wrong
		return err
	}
	return &options.UsageError{Message: "nothing to check: give a .spec file, or --property unreach-call"}
}

// Asks says whether files and options ask for anything: there is a specification, or a
// property.
func Asks(o *options.Options, files []string) bool {
	return hasOther(files, input.C) || o.Property != ""
}

// hasOther says whether there is a file of another kind.
func hasOther(files []string, than input.Kind) bool {
	return slices.ContainsFunc(files, func(name string) bool { return input.KindOf(name) != than })
}

// ValidateReading is Validate for who only wants to look at what files say.
func ValidateReading(h Host, o *options.Options, files []string) error {
	if !hasOther(files, input.Spec) && o.CompileCommands == "" {
		return &options.UsageError{Message: "no C file given"}
	}
	if err := o.Validate(); err != nil {
		return err
	}
	if o.Solver != "embedded" {
		if _, err := h.LookPath(o.Solver); err != nil {
			return input.Errorf("magus: --solver %s: no program %s in PATH", o.Solver, o.Solver)
		}
	}
	return nil
}

// Input is what a project is made of.
func Input(p *input.Program) magus.Input {
	return magus.Input{C: p.C, Specs: p.Specs, ReadFile: p.Options.ReadFile, Options: p.Options, Notes: p.Notes}
}

// A Claimer offers claims, as [magus.Project] does.
type Claimer interface {
	Claims(magus.Selection) ([]*magus.Claim, error)
	Properties(magus.Property) ([]*magus.Claim, error)
}

// Claims are the claims that the options ask about.
func Claims(p Claimer, o *options.Options) ([]*magus.Claim, error) {
	property, ok := o.Reachability()
	if !ok {
		return p.Claims(o.Selection())
	}
	return p.Properties(property)
}

// SessionOptions are the options of sessions. Answers of the embedded procedure
// are checked by an outside one where there is one and checks are asked for.
func SessionOptions(h Host, o *options.Options) magus.Options {
	s := o.Session()
	for _, name := range []string{"cvc5", "z3"} {
		if _, err := h.LookPath(name); err == nil && o.Audit && o.Solver == "embedded" {
			s.Loop.SecondSolver = name
		}
	}
	return s
}

// Facts are the question as facts that can be compared, for certificates: the
// options that give the files their meaning, and the files, headers and imports
// too. Options that only say how an answer is found are no part of it, nor are
// those that select claims, which certificates name, and those that say where
// headers are looked for, for what was found there is.
func (q *Question) Facts() []certificate.Fact {
	return append(settings(q.table, q.options, q.Program), digests(q.texts)...)
}

// settings are the options' part of the question, in the order that certificates have always had; what came
// later comes last.
func settings(table options.Table, o *options.Options, p *input.Program) []certificate.Fact {
	facts := []certificate.Fact{{Name: "data model", Value: p.Options.Model.String()}}
	for _, f := range table.Facts(o) {
		facts = append(facts, certificate.Fact{Name: f.Name, Value: f.Value})
	}
	if long := p.Options.LongDouble; long != cfa.X87 {
		facts = append(facts, certificate.Fact{Name: "long double", Value: long.String()})
	}
	first := []string{"data model", "property", "entry", "error functions", "error labels", "macros", "array limit",
		"heap limit", "strict calls", "check pointers", "check leaks", "keep externs", "pointers", "memory model"}
	at := func(f certificate.Fact) int {
		if i := slices.Index(first, f.Name); i >= 0 {
			return i
		}
		return len(first)
	}
	slices.SortStableFunc(facts, func(a, b certificate.Fact) int { return cmp.Compare(at(a), at(b)) })
	rest := slices.IndexFunc(facts, func(f certificate.Fact) bool { return at(f) > slices.Index(first, "macros") })
	return slices.Insert(facts, rest, unitMacros(p)...)
}

// unitMacros are the macros of each file that compile commands give.
func unitMacros(p *input.Program) []certificate.Fact {
	var facts []certificate.Fact
	for i, u := range p.C {
		all := append(options.Macros(u.Defines, u.Undefs), append(slices.Clone(u.Includes), u.Std)...)
		if value := strings.Join(all, " "); value != "" {
			facts = append(facts, certificate.Fact{Name: fmt.Sprintf("macros of unit %d", i+1), Value: value})
		}
	}
	return facts
}

// digests are the files' part of the question. Files are named by their last part
// only: a check may be repeated from another folder.
func digests(texts []input.Text) []certificate.Fact {
	by := map[string][]string{}
	for _, t := range texts {
		name := filepath.Base(t.Path)
		by[name] = append(by[name], fmt.Sprintf("sha256:%x", sha256.Sum256(t.Text)))
	}
	var facts []certificate.Fact
	for _, name := range slices.Sorted(maps.Keys(by)) {
		slices.Sort(by[name])
		facts = append(facts, certificate.Fact{Name: "file " + name, Value: strings.Join(by[name], " ")})
	}
	return facts
}

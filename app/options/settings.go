package options

import (
	"fmt"
	"slices"

	"magus/internal/phrase"
)

// Settings are the options of a command, set by their names, and what was set.
type Settings struct {
	Options  *Options
	table    Table
	rows     []Option // of the command
	assigned [][2]string
	notes    []string // of names of the last release
}

// For are the options of a command with their defaults.
func (t Table) For(u Use) *Settings {
	var rows []Option
	for i := range t {
		if t[i].In&u != 0 {
			rows = append(rows, t[i])
		}
	}
	return &Settings{Options: t.Defaults(), table: t, rows: rows}
}

// Rows are the options of the command, in the order of the help.
func (s *Settings) Rows() []Option { return s.rows }

// Present is the name that an option of the command has now, for one that it has or
// had in the last release. In the second case there is a note about it.
func (s *Settings) Present(name string) string {
	now := Accepted(name)
	if now == "" || !slices.Contains(s.names(), now) {
		return name
	}
	note := fmt.Sprintf("the option %s is %s now; the next release does not take the old name", name, now)
	if !slices.Contains(s.notes, note) {
		s.notes = append(s.notes, note)
	}
	return now
}

// TakeNotes are the notes since they were taken last.
func (s *Settings) TakeNotes() []string {
	notes := s.notes
	s.notes = nil
	return notes
}

// Row is the option of that name. The error of one that the command does not have
// suggests others.
func (s *Settings) Row(name string) (*Option, error) {
	if i := slices.IndexFunc(s.rows, func(r Option) bool { return r.Name == name }); i >= 0 {
		return &s.rows[i], nil
	}
	if now := Renamed(name); slices.Contains(s.names(), now) {
		return nil, fmt.Errorf("no option %s: its name is %s now", name, now)
	}
	return nil, fmt.Errorf("no option %s%s", name, phrase.Suggest(name, s.names()))
}

// names are those of the options.
func (s *Settings) names() []string {
	var names []string
	for _, r := range s.rows {
		names = append(names, r.Name)
	}
	return names
}

// Set gives an option a value; options that may be given several times collect
// their values.
func (s *Settings) Set(name, value string) error {
	name = s.Present(name)
	r, err := s.Row(name)
	if err != nil {
		return err
	}
	if err := r.Of(s.Options).Set(value); err != nil {
		return &ValueError{r, value, err}
	}
	s.assigned = append(s.assigned, [2]string{name, value})
	return nil
}

// A ValueError says that an option cannot have a value.
type ValueError struct {
	Option *Option
	Value  string
	Err    error // why
}

func (e *ValueError) Error() string {
	name := "--" + e.Option.Name
	if e.Option.Short != "" {
		name = "-" + e.Option.Short + ", " + name
	}
	return fmt.Sprintf("invalid argument %q for %q flag: %v", e.Value, name, e.Err)
}

func (e *ValueError) Unwrap() error { return e.Err }

// Reset gives an option its default.
func (s *Settings) Reset(name string) error {
	name = s.Present(name)
	if _, err := s.Row(name); err != nil {
		return err
	}
	fresh := &Settings{Options: s.table.Defaults(), table: s.table, rows: s.rows}
	for _, a := range s.assigned {
		if a[0] == name {
			continue
		}
		if err := fresh.Set(a[0], a[1]); err != nil {
			return err
		}
	}
	*s.Options, s.assigned = *fresh.Options, fresh.assigned
	return nil
}

// Assigned are the names and values that were set, in their order.
func (s *Settings) Assigned() [][2]string { return slices.Clone(s.assigned) }

// IsSet reports whether an option was set.
func (s *Settings) IsSet(name string) bool {
	return slices.ContainsFunc(s.assigned, func(a [2]string) bool { return a[0] == name })
}

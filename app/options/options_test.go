package options

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"magus"
	"magus/cfa"
	"magus/cfa/source"
	"magus/engine/cegar"
	"magus/internal/golden"

	"github.com/stretchr/testify/require"
)

// The reference page is that of the table.
func TestReference(t *testing.T) {
	golden.Equal(t, "../../docs/options.md", Reference())
}

// Every option has a name of its own in each command, a default that it can
// have, a help that names its value, and a field that no other one has; every
// field is an option's.
func TestTable(t *testing.T) {
	names, letters := map[string]Use{}, map[string]Use{}
	fields := map[any]string{}
	var groups []string
	o := &Options{}
	for _, r := range Standard() {
		require.NotZero(t, r.In, r.Name)
		require.Zero(t, names[r.Name]&r.In, "%s twice", r.Name)
		names[r.Name] |= r.In
		if r.Short != "" {
			require.Zero(t, letters[r.Short]&r.In, "-%s twice", r.Short)
			letters[r.Short] |= r.In
		}
		if before, ok := fields[r.At(o)]; ok {
			require.Equal(t, before, r.Name)
		}
		fields[r.At(o)] = r.Name
		if r.Default != "" {
			require.NoError(t, r.Of(&Options{}).Set(r.Default), r.Name)
		}
		require.Equal(t, r.Kind == Choice, len(r.Values) > 0, r.Name)
		require.False(t, strings.HasSuffix(r.Help, "."), r.Name)
		quotes := strings.Count(r.Help, "`")
		many := r.Kind == Choice && len(r.Values) > 10 // which the help does not have in the place of the value
		if many || r.Kind == Text || r.Kind == List || r.Kind == Integer || r.Kind == Duration {
			require.Equal(t, 2, quotes, r.Name)
		} else {
			require.Zero(t, quotes, r.Name)
		}
		if i := slices.Index(groups, r.Group); i < 0 {
			groups = append(groups, r.Group)
		} else {
			require.Equal(t, len(groups)-1, i, "%s: the group is not in one place", r.Name)
		}
	}
	require.Len(t, fields, reflect.TypeFor[Options]().NumField())
}

// No command has more than twelve options in a group: nobody reads a longer list.
func TestGroupsAreShort(t *testing.T) {
	for use := Check; use <= Rules; use <<= 1 {
		sizes := map[string]int{}
		for _, r := range Standard() {
			if r.In&use != 0 {
				sizes[r.Group]++
			}
		}
		for group, n := range sizes {
			require.LessOrEqual(t, n, 12, "%s: %s", use, group)
		}
	}
}

// The kinds are those of the fields: a value that is set is read again.
func TestValues(t *testing.T) {
	texts := map[Kind]string{Bool: "true", Text: "x", List: "x", Count: "3", CountOrAll: "all",
		Integer: "-7", Duration: "1m30s", Size: "4194304"}
	for _, r := range Standard() {
		o := Defaults()
		require.Equal(t, r.Default, r.Of(o).String(), r.Name)
		text := texts[r.Kind]
		if r.Kind == Choice {
			text = r.Values[len(r.Values)-1]
		}
		require.NoError(t, r.Of(o).Set(text), r.Name)
		require.Equal(t, text, r.Of(o).String(), r.Name)
	}
	for _, c := range []struct {
		v          Value
		text, want string
	}{
		{NewValue(Choice, new(string), "a", "b"), "c", "must be one of a, b"},
		{NewValue(Choice, new(string), "a", "b"), "", "must be one of a, b"},
		{NewValue(Count, new(int)), "0", "must be a number of at least 1"},
		{NewValue(Count, new(int)), "all", "must be a number of at least 1"},
		{NewValue(CountOrAll, new(int)), "-1", "must be all or a number of at least 1"},
		{NewValue(Size, new(uint64)), "0", "must be a positive size such as 512MiB or 2GiB"},
		{NewValue(Size, new(uint64)), "2parsec", "must be a positive size such as 512MiB or 2GiB"},
		{NewValue(Size, new(uint64)), "3", "has no unit, and so many bytes are too few: write it, such as 3GiB"},
		{NewValue(Size, new(uint64)), "512", "has no unit, and so many bytes are too few: write it, such as 512MiB"},
		{NewValue(Size, new(uint64)), "99999999999TiB", "is more than any machine has"},
		{NewValue(Duration, new(time.Duration)), "5", "must be a time with its unit, such as 5s or 5m"},
	} {
		require.EqualError(t, c.v.Set(c.text), c.want)
	}
	size := uint64(0)
	for text, want := range map[string]uint64{"1b": 1, "1048576": 1 << 20, "2 KiB": 2048, "2kb": 2000,
		"3m": 3 << 20, "1GB": 1e9, "1T": 1 << 40, "5b": 5} {
		require.NoError(t, NewValue(Size, &size).Set(text))
		require.Equal(t, want, size, text)
	}
}

func TestSettings(t *testing.T) {
	s := Standard().For(Shell)
	require.NoError(t, s.Set("define", "A"))
	require.NoError(t, s.Set("minimize", "greedy"))
	require.NoError(t, s.Set("define", "B"))
	require.EqualError(t, s.Set("minimise", "greedy"), "no option minimise; did you mean minimize?")
	require.EqualError(t, s.Set("reduce", "true"), "no option reduce: its name is compositional now")
	require.ErrorContains(t, Standard().For(LTS).Set("reduce", "true"), "no option reduce")
	require.ErrorContains(t, s.Set("stats", "true"), "no option stats") // it is none of the shell's
	require.EqualError(t, s.Set("minimize", "x"),
		`invalid argument "x" for "--minimize" flag: must be one of exact, greedy, enumerate, none`)
	require.Equal(t, [][2]string{{"define", "A"}, {"minimize", "greedy"}, {"define", "B"}}, s.Assigned())
	require.True(t, s.IsSet("define"))
	o := s.Options
	require.NoError(t, s.Reset("define"))
	require.Same(t, o, s.Options)
	require.Equal(t, [][2]string{{"minimize", "greedy"}}, s.Assigned())
	require.Empty(t, o.Defines)
	require.Equal(t, "greedy", o.Minimize)
	require.ErrorContains(t, s.Reset("nix"), "no option nix")
}

// A name of the last release is taken, and noted once.
func TestNamesOfTheLastRelease(t *testing.T) {
	s := Standard().For(Shell)
	require.NoError(t, s.Set("reduce-turns", "3"))
	require.NoError(t, s.Set("reduce-turns", "4"))
	require.Equal(t, 4, s.Options.ReduceIterations)
	require.Equal(t, [][2]string{{"reduce-iterations", "3"}, {"reduce-iterations", "4"}}, s.Assigned())
	note := "the option reduce-turns is reduce-iterations now; the next release does not take the old name"
	require.Equal(t, []string{note}, s.TakeNotes())
	require.Empty(t, s.TakeNotes())
	require.NoError(t, s.Reset("reduce-turns"))
	require.Zero(t, s.Options.ReduceIterations)
	require.ErrorContains(t, Standard().For(LTS).Set("reduce-turns", "3"), "no option reduce-turns")
}

func TestValidate(t *testing.T) {
	require.NoError(t, Defaults().Validate())
	for _, c := range []struct {
		set  []string
		want string
	}{
		{[]string{"entry=f"}, "--entry needs --property unreach-call; to select a claim use --procedure"},
		{[]string{"property=unreach-call", "entry=f"}, ""},
		{[]string{"property=unreach-call", "procedure=f"},
			"--procedure selects claims of a specification and does not go with --property"},
		{[]string{"max-sub=3"}, "--max-sub needs --minimize enumerate"},
		{[]string{"max-sub=3", "minimize=enumerate"}, ""},
		{[]string{"timeout=-1s"}, "--timeout must not be negative"},
		{[]string{"quiet=true", "stats=true"}, "--quiet does not go with --stats or --verbose"},
	} {
		s := Standard().For(Check)
		for _, a := range c.set {
			name, value, _ := strings.Cut(a, "=")
			require.NoError(t, s.Set(name, value))
		}
		err := s.Options.Validate()
		if c.want == "" {
			require.NoError(t, err)
		} else {
			require.Equal(t, &UsageError{c.want}, err)
		}
	}
}

// What package magus takes for its defaults are those of the table, every value of
// a choice is one that it knows, and every option of a search reaches it.
func TestSession(t *testing.T) {
	p, err := magus.Load(t.Context(),
		magus.Input{C: []source.Source{{Name: "a.c", Text: []byte("int main(void) { return 0; }")}}})
	require.NoError(t, err)
	claim, err := p.Property(magus.Property{})
	require.NoError(t, err)
	begin := func(o magus.Options) *cegar.Session {
		s, err := magus.NewLoop(context.Background(), claim, o)
		require.NoError(t, err)
		return s
	}
	plain, ours := begin(magus.Options{}), begin(Defaults().Session())
	require.Equal(t, plain.View().Strategy, ours.View().Strategy)
	require.Equal(t, plain.View().Levels, ours.View().Levels)
	plain.Close()
	ours.Close()
	for _, r := range Standard() {
		if r.Group != how && r.Group != model || r.In&Shell == 0 || r.Name == "no-libc" { // which says how C is read
			continue
		}
		for _, value := range valuesOf(&r) {
			o := Defaults()
			require.NoError(t, r.Of(o).Set(value))
			if value != r.Default {
				require.NotEqual(t, Defaults().Session(), o.Session(), "--%s %s", r.Name, value)
			}
			if r.Name != "solver" || value == "embedded" {
				begin(o.Session()).Close()
			}
		}
	}
}

// valuesOf are values of an option, its default among them; nil for a text.
func valuesOf(r *Option) []string {
	switch r.Kind {
	case Bool:
		return []string{"true"}
	case Count, CountOrAll, Integer:
		return []string{"7"}
	case List:
		return []string{"all"}
	}
	return r.Values
}

// roomsOf are the settings of all rooms, by room and name, and these in order.
func roomsOf(o magus.Options) (values map[string]any, names []string) {
	values = map[string]any{}
	v := reflect.ValueOf(o)
	for i := range v.NumField() {
		for j := range v.Field(i).NumField() {
			name := v.Type().Field(i).Name + "." + v.Field(i).Type().Field(j).Name
			names, values[name] = append(names, name), v.Field(i).Field(j).Interface()
		}
	}
	return values, names
}

// Every setting of a room is an option's, but for those that only other code gives.
func TestRooms(t *testing.T) {
	plain, names := roomsOf(Defaults().Session())
	given := map[string]bool{}
	for _, r := range Standard() {
		for _, value := range valuesOf(&r) {
			o := Defaults()
			require.NoError(t, r.Of(o).Set(value))
			session, _ := roomsOf(o.Session())
			for _, name := range names {
				given[name] = given[name] || !reflect.DeepEqual(plain[name], session[name])
			}
		}
	}
	require.Equal(t, []string{"Modelling.OutsideUnknown", "Modelling.AnyAllocation", "Modelling.TargetLimit", "Modelling.SharedBodies",
		"Loop.Alone", "Loop.FirstShare", "Loop.SearchFirst", "Loop.Written", "Loop.BreadthPairs",
		"Loop.MaxPredicates", "Loop.SecondSolver", "Loop.Queries"},
		slices.DeleteFunc(names, func(name string) bool { return given[name] }))
}

func TestReading(t *testing.T) {
	o := Defaults()
	require.Nil(t, o.Reading().Model)
	for _, m := range []cfa.DataModel{cfa.LP64, cfa.ILP32} {
		o.DataModel = m.String()
		require.Equal(t, m, *o.Reading().Model)
	}
}

package options

import (
	"strconv"
	"strings"
)

// The question as certificates record it.
//
// An option that magus verify-certificate takes gives the files a meaning, so a certificate holds for
// its value only. Unless its row says something else, it is recorded by its name, with blanks in
// the place of hyphens, where it does not have its default: so a certificate that was written before
// there was such an option stays valid. An option whose effect the record shows in another way,
// as the digest of a file say, is marked so.

// A Fact is what is said of an option: a name and a value.
type Fact struct{ Name, Value string }

// A record says how an option is recorded.
type record struct {
	elsewhere bool
	name      string                // "": from the option's
	text      func(*Options) string // "" is not recorded; nil: the value unless it is the default
}

// elsewhere is the row of an option whose effect the record has anyway, or that selects
// claims or bounds the effort.
func (r Option) elsewhere() Option {
	r.record = record{elsewhere: true}
	return r
}

// recorded is the row with a name and a text of its own.
func (r Option) recorded(name string, text func(*Options) string) Option {
	r.record = record{name: name, text: text}
	return r
}

// always is the row of an option that is recorded if it has its default, too.
func (r Option) always() Option {
	return r.recorded("", func(o *Options) string { return r.Of(o).String() })
}

// limit is a count of which 0 stands for a default.
func limit(n func(*Options) int, otherwise int) func(*Options) string {
	return func(o *Options) string {
		if n(o) == 0 {
			return strconv.Itoa(otherwise)
		}
		return strconv.Itoa(n(o))
	}
}

// Elsewhere reports whether the option's effect is recorded in another way, if at all.
func (r *Option) Elsewhere() bool { return r.In&Verify == 0 || r.record.elsewhere }

// Facts are what a certificate records of options, in the order of the table.
func (t Table) Facts(o *Options) []Fact {
	var facts []Fact
	for _, r := range t {
		if r.Elsewhere() {
			continue
		}
		f := Fact{r.record.name, ""}
		if f.Name == "" {
			f.Name = strings.ReplaceAll(r.Name, "-", " ")
		}
		if r.record.text != nil {
			f.Value = r.record.text(o)
		} else if v := r.Of(o).String(); v != r.Default {
			f.Value = v
		}
		if f.Value != "" {
			facts = append(facts, f)
		}
	}
	return facts
}

// Macros are definitions as a compiler is given them.
func Macros(defined, undefined []string) []string {
	var all []string
	for _, d := range defined {
		all = append(all, "-D"+d)
	}
	for _, u := range undefined {
		all = append(all, "-U"+u)
	}
	return all
}

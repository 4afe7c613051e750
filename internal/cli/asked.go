package cli

// The question that a certificate answers, as facts that can be compared: the
// files that were read, headers and imports too, and the flags that give them
// their meaning. Flags that only say how an answer is found are no part of it,
// nor are those that select claims, which certificates name, and those that say
// where headers are looked for, for what was found there is.

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"magus/cfa"
	"magus/internal/certificate"
	"magus/internal/input"
)

// files are the files' part of the question. They are named by their last part
// only: a check may be repeated from another folder.
func files(texts []input.Text) []certificate.Fact {
	digests := map[string][]string{}
	for _, t := range texts {
		name := filepath.Base(t.Path)
		digests[name] = append(digests[name], fmt.Sprintf("sha256:%x", sha256.Sum256(t.Text)))
	}
	var facts []certificate.Fact
	for _, name := range slices.Sorted(maps.Keys(digests)) {
		slices.Sort(digests[name])
		facts = append(facts, certificate.Fact{Name: "file " + name, Value: strings.Join(digests[name], " ")})
	}
	return facts
}

// facts are the flags' part of the question.
func (f *checkFlags) facts(units []cfa.Source, model cfa.DataModel) []certificate.Fact {
	facts := []certificate.Fact{{Name: "data model", Value: model.String()}}
	add := func(name string, values ...string) {
		if value := strings.Join(values, " "); value != "" {
			facts = append(facts, certificate.Fact{Name: name, Value: value})
		}
	}
	add("property", f.property.value)
	add("entry", f.entry)
	add("error functions", f.errorFunctions...)
	add("error labels", f.errorLabels...)
	add("macros", macros(f.define, f.undefine)...)
	for i, u := range units {
		add(fmt.Sprintf("macros of unit %d", i+1), append(macros(u.Defines, u.Undefs), append(slices.Clone(u.Includes), u.Std)...)...)
	}
	add("array limit", strconv.Itoa(cmp.Or(int(f.arrayLimit), cfa.DefaultArrayLimit)))
	add("heap limit", strconv.Itoa(cmp.Or(int(f.heapLimit), cfa.DefaultHeapLimit)))
	add("strict calls", strconv.FormatBool(f.strictCalls))
	add("check pointers", strconv.FormatBool(f.checkPointers))
	return facts
}

func macros(defined, undefined []string) []string {
	var all []string
	for _, d := range defined {
		all = append(all, "-D"+d)
	}
	for _, u := range undefined {
		all = append(all, "-U"+u)
	}
	return all
}

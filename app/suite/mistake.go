package suite

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/BurntSushi/toml"

	"magus/internal/pattern"
	"magus/internal/phrase"
)

// Mistakes in suites, with their places, in words that say what to write.

// mistake is what is wrong with a text that the library could not read.
func mistake(name, text string, err error) error {
	var wrong toml.ParseError
	if errors.As(err, &wrong) {
		before := text[:min(max(0, wrong.Position.Start), len(text))]
		line := strings.Count(before, "\n") + 1
		if line != wrong.Position.Line { // the library counts in its own way
			return fmt.Errorf("%s:%d: %s", name, wrong.Position.Line, wrong.Message)
		}
		column := utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1
		return fmt.Errorf("%s: %s", place{line, column}.in(name), wrong.Message)
	}
	if m := incompatible().FindStringSubmatch(err.Error()); m != nil {
		at := mistyped(tablesOf(text), m[1], m[3])
		return fmt.Errorf("%s: %s: expected %s, found %s", at.in(name), m[1], wanted(m[3]), found(m[2]))
	}
	return fmt.Errorf("%s: %s", name, strings.TrimPrefix(err.Error(), "toml: "))
}

// incompatible is how the library says that a value is of another kind than what is asked for.
var incompatible = pattern.New(
	`^toml: (?:line \d+ )?\(last key "([^"]*)"\): incompatible types: TOML value has type (\S+); ` +
		`destination has type (\S+)$`)

// mistyped is the place of the first value of a key that does not begin as it should.
func mistyped(all []*table, path, kind string) place {
	begins := map[string]string{"slice": "[", "string": `"'`, "map": "{"}[kind]
	var first place
	for _, t := range all {
		for _, k := range t.keys {
			whole := strings.TrimPrefix(t.path+"."+k.path, ".")
			if whole != path || k.text == "" {
				continue
			}
			if first == (place{}) {
				first = k.value
			}
			if !strings.Contains(begins, k.text[:1]) {
				return k.value
			}
		}
	}
	return first
}

func wanted(kind string) string {
	switch kind {
	case "slice":
		return `a list of texts such as ["a.c", "b.c"]`
	case "string":
		return `a text in quotes such as "a"`
	case "map", "struct":
		return "a table with keys"
	}
	return "a " + kind
}

func found(kind string) string {
	switch kind {
	case "string":
		return "a text"
	case "integer", "int64", "float", "float64":
		return "a number"
	case "bool", "boolean":
		return "true or false"
	case "array", "slice":
		return "a list"
	case "table", "map":
		return "a table"
	case "datetime", "time.Time":
		return "a time"
	}
	return "a " + kind
}

// unknown is what is wrong with a key that nobody asked for.
func unknown(name, text string, path toml.Key) error {
	var parts []string
	for _, part := range path {
		parts = append(parts, part)
	}
	above := strings.Join(parts[:len(parts)-1], ".")
	var at place
	for _, t := range tablesOf(text) {
		if t.path == strings.Join(parts, ".") {
			at = t.at
			break
		}
		rest, below := strings.CutPrefix(strings.Join(parts, "."), strings.TrimPrefix(t.path+".", "."))
		if k, ok := t.find(rest); ok && below {
			at = k.at
			break
		}
	}
	return fmt.Errorf("%s: no key %s%s", at.in(name), path, phrase.Instead(parts[len(parts)-1], keys[above]))
}

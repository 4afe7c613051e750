package project

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"magus/internal/phrase"
)

// Name is the name of the file.
const Name = "magus.toml"

// Settings are what a file says of checks of rules.
type Settings struct {
	Files   []string
	Options []Option // in the order of the file
}

// An Option is one with its values as they are written on a command line: several of a list.
type Option struct {
	Name   string
	Values []string
	Line   int
}

// files is the key that is no option.
const files = "files"

// Parse reads a file; name is how messages name it.
func Parse(name string, text []byte) (*Settings, error) {
	var tables map[string]toml.Primitive
	meta, err := toml.Decode(string(text), &tables)
	var wrong toml.ParseError
	switch {
	case errors.As(err, &wrong):
		return nil, fmt.Errorf("%s:%d: %s", name, wrong.Position.Line, wrong.Message)
	case err != nil:
		return nil, fmt.Errorf("%s: %s", name, strings.TrimPrefix(err.Error(), "toml: "))
	}
	s := &Settings{}
	for _, key := range meta.Keys() {
		if len(key) == 1 && key[0] != "rules" {
			return nil, fmt.Errorf("%s:%d: no key %s%s; the settings stand below [rules]", name, lineOf(meta, tables[key[0]]),
				key, phrase.Suggest(key[0], []string{"rules"}))
		}
	}
	rules, ok := tables["rules"]
	if !ok {
		return nil, fmt.Errorf("%s:1: no settings: they stand below [rules]", name)
	}
	var table any
	var values map[string]toml.Primitive
	err = meta.PrimitiveDecode(rules, &table)
	if _, ok := table.(map[string]any); !ok || err != nil {
		return nil, fmt.Errorf("%s:%d: rules is a table: [rules]", name, lineOf(meta, rules))
	}
	if err := meta.PrimitiveDecode(rules, &values); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for _, key := range meta.Keys() {
		switch {
		case len(key) > 2:
			return nil, fmt.Errorf("%s: no option %s: a key is one word", name, toml.Key(key[1:]))
		case len(key) != 2:
			continue
		}
		o := Option{Name: key[1], Line: lineOf(meta, values[key[1]])}
		if o.Values, err = texts(meta, values[key[1]]); err != nil {
			return nil, fmt.Errorf("%s:%d: %s: %w", name, o.Line, o.Name, err)
		}
		s.Options = append(s.Options, o)
	}
	if i := slices.IndexFunc(s.Options, func(o Option) bool { return o.Name == files }); i >= 0 {
		s.Files = s.Options[i].Values
		s.Options = slices.Delete(s.Options, i, i+1)
	}
	return s, nil
}

// texts are a value, or the elements of a list, as they are written on a command line.
func texts(meta toml.MetaData, p toml.Primitive) ([]string, error) {
	var v any
	if err := meta.PrimitiveDecode(p, &v); err != nil {
		return nil, err
	}
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	all := []string{}
	for _, v := range list {
		switch v.(type) {
		case string, bool, int64:
			all = append(all, fmt.Sprint(v))
		default:
			return nil, errors.New("expected a text, a number, true, false, or a list of texts")
		}
	}
	return all, nil
}

// lineOf is the line in which the key of a value stands. Only errors of the library say it.
func lineOf(meta toml.MetaData, p toml.Primitive) int {
	var at toml.ParseError
	if errors.As(meta.PrimitiveDecode(p, &place{}), &at) {
		return at.Position.Line
	}
	return 1
}

// A place is a value that no text has.
type place struct{}

// UnmarshalTOML is an error, which gets a place.
func (*place) UnmarshalTOML(any) error { return errors.New("no value") }

// Find is the file that counts for a folder: its own, or that of the nearest folder above, up to the top of a
// repository. The names are absolute; isFile says whether there is a regular file, there whether there is anything.
func Find(folder string, isFile, there func(path string) bool) (path string, ok bool) {
	for {
		if path = filepath.Join(folder, Name); isFile(path) {
			return path, true
		}
		above := filepath.Dir(folder)
		if there(filepath.Join(folder, ".git")) || above == folder {
			return "", false
		}
		folder = above
	}
}

package web

// Examples that come along: files of the folder examples.

import (
	"path"
	"path/filepath"
	"slices"

	along "magus/examples"
)

// example is one that comes along.
type example struct {
	name   string
	folder string
	files  []string // that are loaded
	others []string // that these include
}

// examples are in the order in which they are told.
func examples() []example {
	return []example{
		{"lock", "lock", []string{"lock.c", "lock.spec"}, nil},
		{"lock-bad", "lock", []string{"lock_bad.c", "lock.spec"}, nil},
		{"mutex", "mutex", []string{"mutex_lock.c", "mutex.spec"}, []string{"mutex.h"}},
		{"handshake", "handshake", []string{"client.c", "server.c", "lib.spec", "p03.spec"}, []string{"messages.h"}},
	}
}

// Examples are the names of those that come along.
func Examples() (names []string) {
	for _, e := range examples() {
		names = append(names, e.name)
	}
	return names
}

// IsExample reports whether an example has that name.
func IsExample(name string) bool { return slices.Contains(Examples(), name) }

// ExampleFiles are the files of an example that are loaded.
func ExampleFiles(name string) []string { return lookExample(name).files }

// Example gives the files of an example by their names, false for all others.
func Example(name string) func(file string) ([]byte, bool) {
	e := lookExample(name)
	all := slices.Concat(e.files, e.others)
	return func(file string) ([]byte, bool) {
		base := filepath.Base(file)
		if !slices.Contains(all, base) {
			return nil, false
		}
		text, err := along.Files.ReadFile(path.Join(e.folder, base))
		return text, err == nil
	}
}

// lookExample is the example of that name; an empty one if there is none.
func lookExample(name string) example {
	for _, e := range examples() {
		if e.name == name {
			return e
		}
	}
	return example{}
}

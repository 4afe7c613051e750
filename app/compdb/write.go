package compdb

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
)

// Text is a compilation database for a folder, in which it will stand: folders within it are relative to it, and so are
// the paths in commands that lead there. So it can be moved with the folder.
func Text(commands []Command, folder string) []byte {
	var b bytes.Buffer
	b.WriteString("[\n")
	for i, c := range commands {
		dir := c.Directory
		rel, err := filepath.Rel(folder, dir)
		within := err == nil && filepath.IsLocal(rel)
		if within {
			dir = filepath.ToSlash(rel)
		}
		e := writtenEntry{Directory: dir, File: c.File, Output: c.Output}
		for _, arg := range c.Arguments {
			if within {
				arg = inFolder(arg, folder, c.Directory)
			}
			e.Arguments = append(e.Arguments, arg)
		}
		if within {
			e.File, e.Output = inFolder(e.File, folder, c.Directory), inFolder(e.Output, folder, c.Directory)
		}
		line, err := marshal(e)
		if err != nil {
			panic(err) // texts only
		}
		b.Write(line)
		if i+1 < len(commands) {
			b.WriteString(",")
		}
		b.WriteString("\n")
	}
	b.WriteString("]\n")
	return b.Bytes()
}

// A writtenEntry is an entry as it is written.
type writtenEntry struct {
	Directory string   `json:"directory"`
	File      string   `json:"file"`
	Arguments []string `json:"arguments"`
	Output    string   `json:"output,omitempty"`
}

// inFolder is an argument with a path into a folder relative to where the command runs. What macros stand for
// stays as it is.
func inFolder(arg, folder, from string) string {
	before := ""
	for _, name := range []string{"-I", "-iquote", "-isystem", "-idirafter", "-include", "-o"} {
		if strings.HasPrefix(arg, name+"/") {
			before = name
		}
	}
	path := arg[len(before):]
	rest, ok := strings.CutPrefix(path, folder)
	if !ok || rest != "" && rest[0] != '/' {
		return arg
	}
	rel, err := filepath.Rel(from, path)
	if err != nil {
		return arg
	}
	return before + filepath.ToSlash(rel)
}

// marshal is JSON in one line, with the characters of commands as they are.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimRight(b.Bytes(), "\n"), err
}

// Command benchexec writes task definitions for BenchExec.
//
//	go run ./bench/benchexec -o contrib/benchexec/tasks FOLDER...
//
// A folder has a table VERDICTS.tsv with the columns file, property and expected, of
// which rows for unreach-call with true or false become tasks; or C files whose first
// lines say what is checked, as those of examples do:
//
//	// magus: check client.c server.c protocol.spec
//	// want: conforms
//
// Rows without a verdict, and lines with options, are passed over, and how many were is
// said. A task's name is that of its folder and its file, so that folders may be mixed.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

func main() {
	out := flag.String("o", "tasks", "the folder of the tasks, with a folder properties beside it")
	model := flag.String("data-model", "LP64", "of the programs: LP64 or ILP32")
	flag.Parse()
	if flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "usage: benchexec [-o FOLDER] [-data-model MODEL] FOLDER...")
		os.Exit(2)
	}
	if err := write(os.Stdout, *out, *model, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "benchexec:", err)
		os.Exit(1)
	}
}

// A task is one question with the answer that is expected.
type task struct {
	name     string
	files    []string
	property string // of a file in properties
	expected bool
}

// write writes the tasks of all folders.
func write(log io.Writer, out, model string, folders []string) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	for _, folder := range folders {
		tasks, passed, err := read(folder)
		if err != nil {
			return err
		}
		for _, t := range tasks {
			text, err := t.text(out, model)
			if err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(out, t.name+".yml"), []byte(text), 0o644); err != nil {
				return err
			}
		}
		fmt.Fprintf(log, "%s: %d tasks, %d passed over\n", folder, len(tasks), passed)
	}
	return nil
}

// read reads the tasks of a folder.
func read(folder string) (tasks []task, passed int, err error) {
	table, err := os.ReadFile(filepath.Join(folder, "VERDICTS.tsv"))
	if errors.Is(err, fs.ErrNotExist) {
		return annotated(folder)
	}
	if err != nil {
		return nil, 0, err
	}
	return rows(folder, string(table))
}

// rows are the tasks of a table.
func rows(folder, table string) (tasks []task, passed int, err error) {
	lines := strings.Split(strings.TrimSpace(table), "\n")
	columns := map[string]int{}
	for i, name := range strings.Split(lines[0], "\t") {
		columns[name] = i
	}
	for _, name := range []string{"file", "property", "expected"} {
		if _, ok := columns[name]; !ok {
			return nil, 0, fmt.Errorf("%s: the table has no column %s", folder, name)
		}
	}
	for _, line := range lines[1:] {
		cells := strings.Split(line, "\t")
		cell := func(name string) string {
			if i := columns[name]; i < len(cells) {
				return cells[i]
			}
			return ""
		}
		if cell("property") != "unreach-call" || cell("expected") != "true" && cell("expected") != "false" {
			passed++
			continue
		}
		file := cell("file")
		tasks = append(tasks, task{
			name:  filepath.Base(folder) + "-" + strings.TrimSuffix(file, filepath.Ext(file)),
			files: []string{filepath.Join(folder, file)}, property: "unreach-call", expected: cell("expected") == "true",
		})
	}
	return tasks, passed, nil
}

// annotated are the tasks that C files name in their first lines.
func annotated(root string) (tasks []task, passed int, err error) {
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".c" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		some, skipped := comments(path, string(text))
		tasks, passed = append(tasks, some...), passed+skipped
		return nil
	})
	return tasks, passed, err
}

// comments are the tasks of one file.
func comments(path, text string) (tasks []task, passed int) {
	var files []string
	folder := filepath.Dir(path)
	for line := range strings.Lines(text) {
		comment, ok := strings.CutPrefix(strings.TrimSpace(line), "// ")
		if !ok {
			break
		}
		key, value, _ := strings.Cut(comment, ":")
		value = strings.TrimSpace(value)
		switch key {
		case "magus":
			files = strings.Fields(value)
		case "want":
			t := task{
				name: fmt.Sprintf("%s-%s-%d", filepath.Base(folder),
					strings.TrimSuffix(filepath.Base(path), ".c"), len(tasks)+passed+1),
				property: "conformance", expected: value == "conforms",
			}
			if !t.takes(folder, files) || value == "unknown" {
				passed++
				continue
			}
			tasks = append(tasks, t)
		}
	}
	return tasks, passed
}

// takes gives a task the files of a command line that has no options but the property.
func (t *task) takes(folder string, words []string) bool {
	if len(words) == 0 || words[0] != "check" {
		return false
	}
	words = words[1:]
	if i := slices.Index(words, "--property"); i >= 0 && i+1 < len(words) {
		t.property, words = words[i+1], slices.Delete(slices.Clone(words), i, i+2)
	}
	for _, w := range words {
		if strings.HasPrefix(w, "-") {
			return false
		}
		t.files = append(t.files, filepath.Join(folder, w))
	}
	return true
}

// text is the definition, in BenchExec's format 2.0. Names are relative to the task's
// folder.
func (t task) text(out, model string) (string, error) {
	var b strings.Builder
	b.WriteString("format_version: '2.0'\ninput_files:\n")
	for _, name := range t.files {
		rel, err := relative(out, name)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "  - %s\n", strconv.Quote(rel))
	}
	fmt.Fprintf(&b, "properties:\n  - property_file: \"../properties/%s.prp\"\n    expected_verdict: %v\n",
		t.property, t.expected)
	fmt.Fprintf(&b, "options:\n  language: C\n  data_model: %s\n", model)
	return b.String(), nil
}

// relative is a file's name as seen from a folder.
func relative(folder, name string) (string, error) {
	from, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	to, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	return filepath.Rel(from, to)
}

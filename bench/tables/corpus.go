package main

// What is measured: the examples, each with the commands and verdicts that its
// first lines give, and folders of programs listed in a VERDICTS.tsv.

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A job is one `magus check` with the verdict it should have.
type job struct {
	dir  string   // where it is run
	args []string // behind `magus check`
	want string   // "conforms", "violates" or "unknown"
	name string   // of the row
	// key is the name by which the paper's tables may have the program.
	key string
}

// folder is the example's or the collection's name.
func (j *job) folder() string { return filepath.Base(j.dir) }

// spec is the name of the last specification file, without its ending; "" if
// there is none.
func (j *job) spec() string {
	for _, arg := range slices.Backward(j.args) {
		if stem, ok := strings.CutSuffix(arg, ".spec"); ok {
			return stem
		}
	}
	return ""
}

// examples are the jobs of all examples in order of folders, and within one in
// the natural order of files (s2 before s10) and their commands.
func examples(root string) ([]*job, error) {
	files, err := filepath.Glob(filepath.Join(root, "*", "*.c"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: no examples (folders with .c files) there", root)
	}
	slices.Sort(files)
	var jobs []*job
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		found, err := commands(file, string(text))
		if err != nil {
			return nil, err
		}
		jobs = append(jobs, found...)
	}
	return jobs, nil
}

// commands reads the lines `// magus: check …` and `// want: …` at the
// beginning of a file.
func commands(file, text string) ([]*job, error) {
	var jobs []*job
	for line := range strings.Lines(text) {
		comment, ok := strings.CutPrefix(strings.TrimSpace(line), "// ")
		if !ok {
			break
		}
		if args, ok := strings.CutPrefix(comment, "magus: check "); ok {
			j := &job{dir: filepath.Dir(file), args: strings.Fields(args)}
			j.name, j.key = exampleName(j)
			jobs = append(jobs, j)
		} else if want, ok := strings.CutPrefix(comment, "want: "); ok && len(jobs) > 0 {
			jobs[len(jobs)-1].want = strings.TrimSpace(want)
		}
	}
	for _, j := range jobs {
		if j.want == "" {
			return nil, fmt.Errorf("%s: no `// want:` after `// magus: check %s`", file, strings.Join(j.args, " "))
		}
	}
	return jobs, nil
}

// exampleName is the folder, the C files and the specification where it is not
// named like the folder or the only C file; key is the C file if it is one.
func exampleName(j *job) (name, key string) {
	var files []string
	procedure := ""
	for i, arg := range j.args {
		if stem, ok := strings.CutSuffix(arg, ".c"); ok {
			files = append(files, stem)
		}
		if arg == "--procedure" && i+1 < len(j.args) {
			procedure = " (" + j.args[i+1] + ")"
		}
	}
	name = fmt.Sprintf("%s: %s%s", j.folder(), strings.Join(files, " "), procedure)
	if spec := j.spec(); spec != "" && spec != j.folder() && !slices.Equal(files, []string{spec}) {
		name += ", " + spec
	}
	if len(files) == 1 {
		key = files[0]
	}
	return name, key
}

// collection reads the programs of a folder with a VERDICTS.tsv whose verdicts
// are true or false: whether `error` never happens.
func collection(folder string) ([]*job, error) {
	text, err := os.ReadFile(filepath.Join(folder, "VERDICTS.tsv"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: no VERDICTS.tsv there", folder)
	}
	if err != nil {
		return nil, err
	}
	var jobs []*job
	for n, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		if n == 0 {
			continue // the headings
		}
		cells := strings.Split(line, "\t")
		if len(cells) < 3 {
			return nil, fmt.Errorf("%s/VERDICTS.tsv:%d: %d columns, 3 are needed: file, property, expected",
				folder, n+1, len(cells))
		}
		want, ok := map[string]string{"true": "conforms", "false": "violates"}[cells[2]]
		if !ok {
			continue
		}
		j := &job{dir: folder, args: []string{"--property", "unreach-call"}, want: want, name: cells[0]}
		if label, ok := strings.CutPrefix(cells[1], "unreach-label:"); ok {
			j.args = append(j.args, "--error-label", label)
		}
		j.args = append(j.args, cells[0])
		if want == "conforms" {
			j.key = paperName(cells[0])
		}
		jobs = append(jobs, j)
	}
	return jobs, nil
}

var sshName = regexp.MustCompile(`^s3_(srvr|clnt)_(\d+)[._]`)

// paperName is what the paper calls a program of SV-COMP's ssh-simplified:
// s3_srvr_6_true… is ssl-srvr-6. Those with a letter behind the number, and
// the violated ones, were made later.
func paperName(file string) string {
	if m := sshName.FindStringSubmatch(file); m != nil {
		return fmt.Sprintf("ssl-%s-%s", m[1], m[2])
	}
	return ""
}

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"time"
)

// Idea: the tests of a package are compiled once for each mutant, with the changed file laid over the one on
// the disk, and run in the folder of the package as go test does, short unless asked otherwise, and until the
// first failure. They have a limit of time, and one of addresses where there is a shell that can set it, since a
// mutant may well grow for ever.
// Cost: the compiler and linker, mostly.

// An answer is what became of a mutant.
type answer string

const (
	killed     answer = "killed"
	late       answer = "killed by time"
	survived   answer = "survived"
	uncompiled answer = "not compiled"
	passed     answer = "passed over"
)

// A judge runs tests.
type judge struct {
	o      *options
	dir    string // of its own, for overlays and programs
	suites []suite
	limits []time.Duration
}

// newJudge sees that the tests pass unchanged, and how long they take.
func newJudge(ctx context.Context, o *options) (*judge, error) {
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return nil, err
	}
	j := &judge{o: o, dir: dir, suites: append([]suite{{folder: o.room}}, o.callers...)}
	for _, s := range j.suites {
		limit := o.limit
		if limit == 0 {
			limit = 10 * time.Minute
		}
		begun := time.Now()
		program, err := j.compile(ctx, s, "")
		if err == nil {
			begun = time.Now()
			err = j.tests(ctx, s, program, limit)
		}
		if err != nil {
			j.close()
			return nil, fmt.Errorf("the tests of %s do not pass unchanged: %w", s.folder, err)
		}
		if o.limit == 0 {
			limit = 10*time.Second + 5*time.Since(begun)
		}
		j.limits = append(j.limits, limit)
	}
	return j, nil
}

func (j *judge) close() { os.RemoveAll(j.dir) }

// judge says what becomes of a mutant. One that is not wanted is compiled all the same: whether it counts is
// the same then.
func (j *judge) judge(ctx context.Context, m mutant, wanted bool) answer {
	overlay, err := j.overlay(m)
	if err != nil {
		return uncompiled
	}
	if !wanted {
		if j.command(ctx, "go", "build", "-overlay", overlay, "-o", os.DevNull, "./"+filepath.ToSlash(j.o.room)).
			Run() != nil {
			return uncompiled
		}
		return passed
	}
	for i, s := range j.suites {
		program, err := j.compile(ctx, s, overlay)
		if err != nil {
			return uncompiled
		}
		err = j.tests(ctx, s, program, j.limits[i])
		switch {
		case errors.Is(err, context.DeadlineExceeded):
			return late
		case err != nil:
			return killed
		}
	}
	return survived
}

// overlay writes the changed file and where it is to lie.
func (j *judge) overlay(m mutant) (string, error) {
	text, err := os.ReadFile(m.file)
	if err != nil {
		return "", err
	}
	changed := filepath.Join(j.dir, "changed.go")
	if err := os.WriteFile(changed, slices.Concat(text[:m.from], []byte(m.text), text[m.to:]), 0o600); err != nil {
		return "", err
	}
	original, err := filepath.Abs(m.file)
	if err != nil {
		return "", err
	}
	list, err := json.Marshal(map[string]map[string]string{"Replace": {original: changed}})
	if err != nil {
		return "", err
	}
	name := filepath.Join(j.dir, "overlay.json")
	return name, os.WriteFile(name, list, 0o600)
}

// compile compiles the tests of a suite; "" is no program, where there are none.
func (j *judge) compile(ctx context.Context, s suite, overlay string) (string, error) {
	program := filepath.Join(j.dir, "tests")
	os.Remove(program)
	args := []string{"test", "-c", "-vet=off", "-ldflags=-s", "-o", program} // without symbols it is linked sooner
	if overlay != "" {
		args = append(args, "-overlay", overlay)
	}
	if text, err := j.command(ctx, "go", append(args, "./"+filepath.ToSlash(s.folder))...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, text)
	}
	if _, err := os.Stat(program); err != nil {
		return "", nil
	}
	return program, nil
}

// arguments are a program with tests and what it is told.
func (o *options) arguments(program string, s suite) []string {
	return []string{program, "-test.short=" + strconv.FormatBool(!o.long), "-test.failfast", "-test.run", s.pattern}
}

// tests runs compiled tests. What they write is thrown away, but its end in what is told of a failure.
func (j *judge) tests(ctx context.Context, s suite, program string, limit time.Duration) error {
	if program == "" {
		return nil
	}
	ctx, stop := context.WithTimeout(ctx, limit)
	defer stop()
	args := j.o.arguments(program, s)
	if _, err := exec.LookPath("sh"); err == nil {
		args = append([]string{"sh", "-c", "ulimit -v " + strconv.Itoa(j.o.memory) + ` 2>/dev/null; exec "$0" "$@"`}, args...)
	}
	c := j.command(ctx, args[0], args[1:]...)
	c.Dir = s.folder
	var text bytes.Buffer
	c.Stdout, c.Stderr = &text, &text
	err := c.Run()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("%w: %s", err, text.Bytes()[max(0, text.Len()-2000):])
	}
	return nil
}

// command is a command that ends with the context, and is not waited for if what it has started goes on.
func (j *judge) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, name, args...)
	c.WaitDelay = time.Second
	return c
}

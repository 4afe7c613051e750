package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// The classes of answers, in the order in which they are told.
const (
	wrongConforms = "wrong conforms"
	wrongViolates = "wrong violates"
	fault         = "fault"
	refused       = "refused"
	unknown       = "unknown"
	right         = "right"
	passed        = "passed over"
)

var classes = []string{wrongConforms, wrongViolates, fault, refused, unknown, right, passed}

// An answer is what came of a question, or why there is none.
type answer struct{ file, question, class, reason string }

// ask asks one question.
func ask(ctx context.Context, magus string, args []string, file string, q question) answer {
	a := answer{file: file, question: q.name}
	work, err := os.MkdirTemp("", "conformance")
	if err != nil {
		a.class, a.reason = fault, err.Error()
		return a
	}
	defer os.RemoveAll(work)
	program := filepath.Join(work, filepath.Base(file))
	if err := os.WriteFile(program, []byte(q.text), 0o644); err != nil {
		a.class, a.reason = fault, err.Error()
		return a
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute) // only against a run that hangs
	defer cancel()
	cmd := exec.CommandContext(ctx, magus, append([]string{"check", "--json", "--property", "unreach-call",
		"--error-function", "reach_error", "--error-function", "abort", "-I", filepath.Dir(file)},
		append(args, program)...)...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	var failed *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &failed) || ctx.Err() != nil {
		a.class, a.reason = fault, "no end"
		return a
	}
	a.class, a.reason = classify(q, out.Bytes(), errs.String(), cmd.ProcessState.ExitCode())
	return a
}

// A document is what the classes need of the JSON form of a check.
type document struct {
	Verdict string
	Claims  []struct{ Reason string }
}

// classify compares a verdict with the truth. Exit statuses: docs of magus check.
func classify(q question, out []byte, errs string, status int) (class, reason string) {
	var d document
	if err := json.Unmarshal(out, &d); err != nil || d.Verdict == "" {
		switch {
		case strings.Contains(errs, "internal error") || status > 3 || status < 0:
			return fault, plain(errs)
		case errs != "":
			return refused, plain(errs)
		}
		return refused, plain(string(out))
	}
	switch {
	case d.Verdict == "unknown":
		var why []string
		for _, c := range d.Claims {
			why = append(why, c.Reason)
		}
		return unknown, plain(strings.Join(why, "; "))
	case (d.Verdict == "violates") == q.violates:
		return right, ""
	case q.violates:
		return wrongConforms, ""
	}
	return wrongViolates, ""
}

var (
	place  = regexp.MustCompile(`(?m)^\S+?:\d+(:\d+)?: |\S+\.c:\d+(:\d+)?`)
	source = regexp.MustCompile(`(?s)\n.*`)
)

// plain is the first line of a message, without places.
func plain(message string) string {
	return strings.TrimSpace(place.ReplaceAllString(source.ReplaceAllString(strings.TrimSpace(message), ""), ""))
}

package main

// Programs with their truth.
//
// Idea: the program's main is renamed and called by a main that compares the result. The same text is compiled for the
// truth and given to magus, so that nothing but the verdict can differ.
//
// Cost: six runs of gcc, and five of the program, for each file.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// A question is a text of C in which abort or reach_error is called, or is not.
type question struct {
	name     string // returns, or returns-else
	text     string
	violates bool // by the run
}

// A pass says why a program has no questions.
type pass string

func (p pass) Error() string { return string(p) }

var mainHead = regexp.MustCompile(`(?m)\bmain\s*\(([^()]*)\)\s*(?:[{;]|$)`)

// questions are those about the program of a file.
func questions(ctx context.Context, cc, file string) ([]question, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	call, err := calling(string(text))
	if err != nil {
		return nil, err
	}
	folder := filepath.Dir(file)
	text = returning(ctx, cc, folder, text, wrapped(string(text), file, call, "0"))
	first := question{name: "returns", text: wrapped(string(text), file, call, "0")}
	status, err := truth(ctx, cc, folder, first.text, options)
	if err != nil {
		return nil, err
	}
	if status == aborted {
		first.violates = true
		return []question{first}, nil
	}
	first.text = wrapped(string(text), file, call, fmt.Sprintf("status != %d", status))
	other := question{name: "returns-else", text: wrapped(string(text), file, call, fmt.Sprintf("status == %d", status))}
	end, err := truth(ctx, cc, folder, other.text, options[:1]) // main may not return, but call exit
	other.violates = end == reached
	if err != nil {
		return nil, err
	}
	if failed, err := truth(ctx, cc, folder, first.text, failing); err == nil && failed == status {
		return []question{first, other}, nil
	}
	return slices.DeleteFunc([]question{first, other}, func(q question) bool { return !q.violates }), nil
}

// failing is how a program is compiled for which output, files and new threads fail. If it ends otherwise then, only
// what a run shows to happen is asked of it.
var failing = [][]string{{"-O0", "-fno-builtin", "-Wl" + wrapping()}}

// failures are the functions that fail then, each with its head and what it returns.
var failures = []struct{ name, result, parameters, failed string }{
	{"printf", "int", "const char *f, ...", "-1"},
	{"vprintf", "int", "const char *f, va_list v", "-1"},
	{"fprintf", "int", "FILE *s, const char *f, ...", "-1"},
	{"vfprintf", "int", "FILE *s, const char *f, va_list v", "-1"},
	{"puts", "int", "const char *s", "-1"},
	{"fputs", "int", "const char *t, FILE *s", "-1"},
	{"putchar", "int", "int c", "-1"},
	{"putc", "int", "int c, FILE *s", "-1"},
	{"fputc", "int", "int c, FILE *s", "-1"},
	{"fwrite", "size_t", "const void *p, size_t n, size_t m, FILE *s", "0"},
	{"fopen", "FILE *", "const char *f, const char *m", "0"},
	{"tmpfile", "FILE *", "void", "0"},
	{"fclose", "int", "FILE *s", "-1"},
	{"pthread_create", "int", "void *t, void *a, void *f, void *x", "11"},
}

// wrapping are the options of the linker for them.
func wrapping() string {
	var b strings.Builder
	for _, f := range failures {
		b.WriteString(",--wrap=" + f.name)
	}
	return b.String()
}

// failed is the C text of them.
func failed() string {
	var b strings.Builder
	for _, f := range failures {
		fmt.Fprintf(&b, "%s __wrap_%s(%s) { return %s; }\n", f.result, f.name, f.parameters, f.failed)
	}
	return b.String()
}

// fallsOff is what gcc says of the place at which main, as the wrapper calls it, ends without a value.
var fallsOff = regexp.MustCompile(`In function .tested_main.:\n(?:[^\n]*:\d+:\d+: [^\n]*\n)*?[^\n]*?:(\d+):(\d+): warning: ` +
	`control reaches end of non-void function`)

// returning is the text of a program with what C says of the end of main, which is another function when it
// is called by the wrapper: 0 is returned there (C11 5.1.2.2.3).
func returning(ctx context.Context, cc, folder string, text []byte, wrapped string) []byte {
	work, err := os.MkdirTemp("", "conformance")
	if err != nil {
		return text
	}
	defer os.RemoveAll(work)
	path := filepath.Join(work, "program.c")
	if os.WriteFile(path, []byte(wrapped), 0o644) != nil {
		return text
	}
	cmd := exec.CommandContext(ctx, cc, "-O0", "-S", "-std=gnu11", "-Wreturn-type",
		"-fno-diagnostics-show-caret", "-I", folder, "-o", os.DevNull, path)
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	out, _ := cmd.CombinedOutput()
	m := fallsOff.FindSubmatch(out)
	if m == nil {
		return text
	}
	line, _ := strconv.Atoi(string(m[1]))
	column, _ := strconv.Atoi(string(m[2]))
	lines := bytes.SplitAfter(text, []byte("\n"))
	if line > len(lines) || column > len(lines[line-1]) || lines[line-1][column-1] != '}' {
		return text
	}
	at := column - 1 + len(bytes.Join(lines[:line-1], nil))
	return slices.Concat(text[:at], []byte("return 0;"), text[at:])
}

// options are the ways in which a program is compiled; the result has to be the same. What converts a floating-point
// number out of an integer's range is undefined as well (C11 6.3.1.4), and not among gcc's -fsanitize=undefined.
var options = [][]string{{"-O0"}, {"-O2"}, {"-O1",
	"-fsanitize=undefined,address,float-cast-overflow,float-divide-by-zero", "-fno-sanitize-recover=all"}}

// calling is how main is called.
func calling(text string) (string, error) {
	heads := mainHead.FindAllStringSubmatch(text, -1)
	if len(heads) == 0 {
		return "", pass("no main is seen in the file")
	}
	parameters := strings.TrimSpace(heads[len(heads)-1][1])
	switch {
	case parameters == "" || parameters == "void":
		return "tested_main()", nil
	case strings.Count(parameters, ",") <= 1:
		return `tested_main(1, (char *[]){"program", 0})`, nil // as it is run: the truth is that of no other arguments
	}
	return "", pass("main has three parameters")
}

// wrapped is the program with a main that reports an error where the condition holds of its status.
func wrapped(text, file, call, condition string) string {
	return fmt.Sprintf(`#define main tested_main
#line 1 %q
%s
#undef main
#line 1 "wrapper.c"
extern void abort(void);
extern void reach_error(void);
int main(int argc, char **argv)
{
	int status = %s & 255;
	if (%s)
		reach_error();
	return status;
}
`, filepath.Base(file), text, call, condition)
}

// The ends of a run that are no status.
const (
	aborted = -1
	reached = -2
)

// reachedText is the file of reach_error: a run that calls it says so on standard error.
const reachedText = "\n#include <stdarg.h>\n#include <stdlib.h>\n#include <stdio.h>\n#include <unistd.h>\n" +
	"void reach_error(void) { fflush(stdout); write(2, \"reach_error\\n\", 12); _Exit(0); }\n"

// truth compiles a program in some ways and runs it. All have to agree.
func truth(ctx context.Context, cc, folder, text string, ways [][]string) (int, error) {
	work, err := os.MkdirTemp("", "conformance")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(work)
	for name, text := range map[string]string{"program.c": text, "error.c": reachedText + failed()} {
		if err := os.WriteFile(filepath.Join(work, name), []byte(text), 0o644); err != nil {
			return 0, err
		}
	}
	end := 0
	for i, flags := range ways {
		args := slices.Concat(flags, []string{"-w", "-std=gnu11", "-I", folder, "-o", filepath.Join(work, "program"),
			filepath.Join(work, "program.c"), filepath.Join(work, "error.c"), "-lm", "-pthread"})
		if err := compile(ctx, cc, args); err != nil && i > 0 && !errors.Is(err, passTooLong) {
			return 0, pass("gcc takes it with some options only")
		} else if err != nil {
			return 0, err
		}
		got, err := execute(ctx, filepath.Join(work, "program"), work)
		if err != nil {
			return 0, err
		}
		if i > 0 && got != end {
			return 0, pass("the result depends on gcc's options")
		}
		end = got
	}
	return end, nil
}

// passTooLong is why a program is passed over that gcc does not end with: some it does not compile with a sanitizer.
const passTooLong = pass("gcc does not end in 20 seconds")

// compile is a run of gcc. The error is why the program is passed over.
func compile(ctx context.Context, cc string, args []string) error {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, cc, args...)
	inGroup(cmd)
	out, err := cmd.CombinedOutput()
	switch {
	case ctx.Err() != nil:
		return passTooLong
	case err != nil:
		return pass("gcc does not take it: " + firstError(string(out)))
	}
	return nil
}

// inGroup has a command's processes ended with it: gcc has the compiler proper run beside it.
func inGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

// firstError is the first message of gcc that is an error, without its place.
func firstError(out string) string {
	for line := range strings.Lines(out) {
		if _, message, ok := strings.Cut(line, "error: "); ok {
			return strings.TrimSpace(message)
		}
	}
	return "no message"
}

// execute runs a program in a folder of its own, without input.
func execute(ctx context.Context, program, folder string) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, program)
	cmd.Dir = folder
	cmd.Env = []string{"ASAN_OPTIONS=detect_leaks=0:abort_on_error=0:exitcode=99", "UBSAN_OPTIONS=exitcode=99"}
	var said limited
	cmd.Stderr = &said
	err := cmd.Run()
	if ctx.Err() != nil {
		return 0, pass("it does not end in ten seconds")
	}
	if strings.HasSuffix(string(said), "reach_error\n") {
		return reached, nil
	}
	var failed *exec.ExitError
	if err == nil {
		return 0, nil
	}
	if !errors.As(err, &failed) {
		return 0, err
	}
	state, ok := failed.Sys().(syscall.WaitStatus)
	switch {
	case ok && state.Signaled() && state.Signal() == syscall.SIGABRT:
		return aborted, nil
	case ok && state.Signaled():
		return 0, pass("a signal stops it: " + state.Signal().String())
	case strings.Contains(string(said), "Sanitizer") || strings.Contains(string(said), "runtime error:"):
		return 0, pass("a sanitizer stops it")
	}
	return failed.ExitCode(), nil
}

// limited keeps the last bytes that are written to it.
type limited []byte

func (l *limited) Write(p []byte) (int, error) {
	*l = append(*l, p...)
	if n := len(*l) - 1<<16; n > 0 {
		*l = (*l)[n:]
	}
	return len(p), nil
}

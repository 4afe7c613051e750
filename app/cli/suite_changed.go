package cli

// Which files have changed since a revision, by git.

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"

	"magus/app/input"
)

// changes are files, by absolute names without links.
type changes map[string]bool

// changedSince asks git for what has changed since a revision, committed or not, and for files that it does
// not know. nil if no revision is given.
func changedSince(ctx context.Context, w *World, revision string) (changes, error) {
	if revision == "" {
		return nil, nil
	}
	if strings.HasPrefix(revision, "-") {
		return nil, input.Errorf("--changed-since %s: no revision", revision)
	}
	if _, err := w.LookPath("git"); err != nil {
		return nil, input.Errorf("--changed-since: no program git in PATH")
	}
	dir := w.Dir.Path(".")
	git := func(args ...string) (string, error) {
		c := exec.CommandContext(ctx, "git",
			append([]string{"-C", dir, "-c", "core.fsmonitor=false", "-c", "core.quotePath=false"}, args...)...)
		out, err := c.Output()
		if exit, ok := err.(*exec.ExitError); ok {
			first, _, _ := strings.Cut(strings.TrimSpace(string(exit.Stderr)), "\n")
			return "", input.Errorf("--changed-since %s: git: %s", revision, first)
		}
		return string(out), err
	}
	top, err := git("rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	top = strings.TrimSuffix(top, "\n")
	known, err := git("diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", revision, "--", top)
	if err != nil {
		return nil, err
	}
	others, err := git("ls-files", "--others", "--full-name", "-z", "--", top)
	if err != nil {
		return nil, err
	}
	c := changes{}
	for name := range strings.SplitSeq(known+others, "\x00") {
		if name != "" {
			c[filepath.Join(top, name)] = true
		}
	}
	return c, nil
}

// has reports whether a file of a folder has changed.
func (c changes) has(dir input.Dir, name string) bool {
	path, err := filepath.Abs(dir.Path(name))
	if err != nil {
		return true
	}
	if real, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(real, filepath.Base(path))
	}
	return c[path]
}

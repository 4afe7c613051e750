package cli

// What has to be checked since a revision: claims of suites, and roots of rules.

import (
	"context"
	"errors"
	"strings"

	"magus/app/input"
	"magus/app/job"
	"magus/app/revision"
)

// changes are those since a revision; nil if no revision is given, for then everything counts as changed.
type changes struct{ tree *revision.Tree }

// changedSince reads a revision; nil if none is given.
func changedSince(ctx context.Context, w *World, name string) (*changes, error) {
	if name == "" {
		return nil, nil
	}
	if strings.HasPrefix(name, "-") {
		return nil, input.Errorf("--changed-since %s: no revision", name)
	}
	if _, err := w.LookPath("git"); err != nil {
		return nil, input.Errorf("--changed-since: no program git in PATH")
	}
	tree, err := revision.Read(ctx, w.Dir.Absolute("."), name)
	var git *revision.Error
	if errors.As(err, &git) {
		return nil, input.Errorf("--changed-since %s: %s", name, git)
	}
	return &changes{tree}, err
}

// has reports whether a file of a folder is another than in the revision, or may be.
func (c *changes) has(dir input.Dir, name string) bool { return !c.tree.Has(dir.Absolute(name)) }

// past gives the texts of files as they were in the revision.
func (c *changes) past(ctx context.Context) job.Past {
	return func(path string) (text []byte, there, known bool, err error) { return c.tree.Text(ctx, path) }
}

// concern reports whether something that a question has read, or looked for, is other than in the revision, or may be.
func (c *changes) concern(q *job.Question, dir input.Dir) bool {
	for _, t := range q.Read() {
		if c.has(dir, t.Path) {
			return true
		}
	}
	for _, m := range q.Missed() {
		if !c.tree.Lacks(dir.Absolute(m.Path)) {
			return true
		}
	}
	return false
}

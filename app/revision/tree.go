package revision

// Which files are as a revision has them.
//
// Idea: the revision's tree lists each file and link with the digest of its text, so what stands on the disk
// is compared with that and with nothing else: neither the index, nor what git was told to assume of a file,
// nor times can hide a change. A path is followed from the top of the repository, component by component; a
// link on it has to be that of the revision, and the way goes on where it leads.
//
// Source: git's documentation of objects (gitformat-pack, hash-object): an object is its kind, its length and its text.
//
// Deviation from git: a file that git changes when it checks it out (ends of lines, filters) counts as changed.
//
// Cost: one call of git; each file that is asked for is read and digested.

import (
	"context"
	"crypto/sha1" // git's digest
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A Tree is what a revision has.
type Tree struct {
	top     string           // of the repository, without links
	entries map[string]entry // by path from the top
	folders map[string]bool
}

// An entry is a file, a link or a submodule.
type entry struct{ mode, digest string }

// The modes of what is no submodule.
const (
	file       = "100644"
	executable = "100755"
	link       = "120000"
)

// An Error says why a revision cannot be read, in git's words.
type Error struct{ Text string }

func (e *Error) Error() string { return "git: " + e.Text }

// Read reads the tree of a revision in the repository of a folder. The error is an [Error] where git refuses.
func Read(ctx context.Context, dir, revision string) (*Tree, error) {
	git := func(dir string, args ...string) (string, error) {
		out, err := exec.CommandContext(ctx, "git", append([]string{"--no-replace-objects", "-C", dir}, args...)...).Output()
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			first, _, _ := strings.Cut(strings.TrimSpace(string(exit.Stderr)), "\n")
			return "", &Error{first}
		}
		return string(out), err
	}
	top, err := git(dir, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	t := &Tree{entries: map[string]entry{}, folders: map[string]bool{".": true}}
	if t.top, err = filepath.EvalSymlinks(strings.TrimSuffix(top, "\n")); err != nil {
		return nil, err
	}
	list, err := git(t.top, "ls-tree", "-r", "-z", "--full-tree", revision, "--")
	if err != nil {
		return nil, err
	}
	for line := range strings.SplitSeq(list, "\x00") {
		head, path, ok := strings.Cut(line, "\t")
		if fields := strings.Fields(head); ok && len(fields) == 3 {
			t.add(filepath.FromSlash(path), entry{fields[0], fields[2]})
		}
	}
	return t, nil
}

func (t *Tree) add(path string, e entry) {
	t.entries[path] = e
	for dir := filepath.Dir(path); !t.folders[dir]; dir = filepath.Dir(dir) {
		t.folders[dir] = true
	}
}

// Has reports whether an absolute path leads to a regular file whose text is that of the revision, by links that are
// those of the revision.
func (t *Tree) Has(path string) bool {
	at, rest, ok := t.follow(path)
	if !ok || rest != "" {
		return false
	}
	e := t.entries[at]
	if e.mode != file && e.mode != executable {
		return false
	}
	name := filepath.Join(t.top, at)
	if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() {
		return false
	}
	text, err := os.ReadFile(name)
	return err == nil && e.is(text)
}

// Lacks reports whether an absolute path leads to no file, now and in the revision, by links that are those of the
// revision: to nothing, or to a folder.
func (t *Tree) Lacks(path string) bool {
	at, rest, ok := t.follow(path)
	if !ok {
		return false
	}
	if rest == "" { // something stands there
		info, err := os.Lstat(filepath.Join(t.top, at))
		return err == nil && info.IsDir() && t.folders[at]
	}
	path = filepath.Join(at, rest)
	return !strings.Contains(rest, "..") && !t.folders[path] && !t.above(path)
}

// Text is the text that an absolute path led to in the revision; there is false where it led to nothing.
// known is false where that cannot be known: outside of the repository, within a submodule, behind a link,
// and of files that stand there and are none of the revision's.
func (t *Tree) Text(ctx context.Context, path string) (text []byte, there, known bool, err error) {
	if t.Has(path) {
		text, err = os.ReadFile(path)
		return text, true, err == nil, err
	}
	if t.Lacks(path) {
		return nil, false, true, nil
	}
	at, rest, ok := t.enter(path)
	name := filepath.Join(at, rest)
	if e := t.entries[name]; ok && !strings.Contains(rest, "..") && (e.mode == file || e.mode == executable) {
		text, err = exec.CommandContext(ctx, "git", "--no-replace-objects", "-C", t.top, "cat-file", "blob",
			e.digest).Output()
		return text, true, err == nil, err
	}
	return nil, false, false, nil
}

// above reports whether the revision has a file, a link or a submodule at a path or above it.
func (t *Tree) above(path string) bool {
	for ; path != "."; path = filepath.Dir(path) {
		if _, ok := t.entries[path]; ok {
			return true
		}
	}
	return false
}

// mostLinks bounds the links of a path, and maxSteps the components that are passed.
const (
	mostLinks = 40
	maxSteps  = 10_000
)

// follow goes along an absolute path, through links, as far as there is anything. It returns the last place, from the
// top of the repository, and what is left of the path. It fails where the way is not that of the revision, leaves the
// repository, or cannot be seen.
func (t *Tree) follow(path string) (at, rest string, ok bool) {
	at, rest, ok = t.enter(path)
	links := 0
	for range maxSteps {
		if !ok || rest == "" {
			return at, rest, ok
		}
		first, behind, _ := strings.Cut(rest, string(filepath.Separator))
		next := filepath.Join(at, first) // at has no links, so ".." is the folder above
		name := filepath.Join(t.top, next)
		info, err := os.Lstat(name)
		switch {
		case !filepath.IsLocal(next):
			return "", "", false
		case errors.Is(err, fs.ErrNotExist):
			return at, rest, true
		case err != nil:
			return "", "", false
		case info.Mode()&fs.ModeSymlink != 0:
			if links++; links > mostLinks {
				return "", "", false
			}
			at, rest, ok = t.through(at, next, behind)
		case behind != "" && !info.IsDir(): // a file in the place of a folder
			return "", "", false
		default:
			at, rest = next, behind
		}
	}
	return "", "", false
}

// through is where a link in a folder leads, if it is that of the revision, with the rest of the path behind it.
func (t *Tree) through(folder, name, behind string) (at, rest string, ok bool) {
	to, err := os.Readlink(filepath.Join(t.top, name))
	e := t.entries[name]
	if err != nil || e.mode != link || !e.is([]byte(filepath.ToSlash(to))) {
		return "", "", false
	}
	if filepath.IsAbs(to) {
		if to != filepath.Clean(to) { // ".." behind a link is another folder than it seems
			return "", "", false
		}
		return t.enter(filepath.Join(to, behind))
	}
	slash := string(filepath.Separator)
	return folder, strings.Trim(to+slash+behind, slash), true
}

// enter is where an absolute path comes into the repository, and what of it is left there. Links above do not count.
func (t *Tree) enter(path string) (at, rest string, ok bool) {
	slash := string(filepath.Separator)
	for n := 1; n <= len(path); n++ {
		if n < len(path) && path[n] != filepath.Separator {
			continue
		}
		real, err := filepath.EvalSymlinks(path[:n])
		if err != nil {
			return "", "", false
		}
		if rel, err := filepath.Rel(t.top, real); err == nil && filepath.IsLocal(rel) {
			return rel, strings.Trim(path[n:], slash), true
		}
	}
	return "", "", false
}

// is reports whether an entry's text is this one.
func (e entry) is(text []byte) bool {
	var h hash.Hash = sha256.New()
	if len(e.digest) == 2*sha1.Size {
		h = sha1.New()
	}
	fmt.Fprintf(h, "blob %d\x00", len(text))
	h.Write(text)
	return fmt.Sprintf("%x", h.Sum(nil)) == e.digest
}

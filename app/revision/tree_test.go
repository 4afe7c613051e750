package revision

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// repository is a folder with a commit in git, with or without SHA-256.
func repository(t *testing.T, format string) (dir string, git func(...string)) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	git = func(args ...string) {
		c := exec.Command("git",
			append([]string{"-C", filepath.Join(dir, "top"), "-c", "user.name=a", "-c", "user.email=a@example.org"}, args...)...)
		c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
		out, err := c.CombinedOutput()
		require.NoError(t, err, string(out))
	}
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "top/sub/deep"), 0o777))
	write(t, dir, "outside.h", "outside")
	for _, name := range []string{"a.c", "sub/b.h", "sub/deep/c.h", "assumed.h", "gone.h", "ignored.h"} {
		write(t, dir, "top/"+name, name)
	}
	write(t, dir, "top/.gitignore", "ignored.h\n")
	for name, to := range map[string]string{
		"link.h": "sub/b.h", "folder": "sub", "sub/up.h": "../a.c", "absolute.h": filepath.Join(dir, "top/a.c"),
		"out.h":   "../outside.h",
		"round.h": "round.h", "sub/far": "deep/../../sub", "dangling.h": "nothing.h", "moved.h": "a.c",
	} {
		require.NoError(t, os.Symlink(to, filepath.Join(dir, "top", name)))
	}
	git("init", "-q", "--object-format="+format, ".")
	git("add", "-A", ".")
	git("commit", "-q", "-m", "first")
	return dir, git
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777))
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
}

// TestTree asks for files as they are in the revision, and as they are after changes of all kinds.
func TestTree(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		dir, git := repository(t, format)
		top := filepath.Join(dir, "top")
		tree, err := Read(context.Background(), filepath.Join(top, "sub"), "HEAD")
		require.NoError(t, err)
		has := func(name string) bool { return tree.Has(filepath.Join(top, name)) }
		lacks := func(name string) bool { return tree.Lacks(filepath.Join(top, name)) }
		for name, want := range map[string]bool{
			"a.c": true, "sub/b.h": true, "link.h": true, "folder/deep/c.h": true, "sub/up.h": true,
			"folder/up.h": true, "absolute.h": true,
			"sub/far/b.h": true, "out.h": false, "round.h": false, "dangling.h": false, "ignored.h": false,
			"nothing.h": false, "sub": false, "../outside.h": false,
		} {
			require.Equal(t, want, has(name), name)
		}
		for name, want := range map[string]bool{
			"nothing.h": true, "sub/nothing.h": true, "no/such/folder.h": true, "folder/nothing.h": true,
			"dangling.h": true, "sub": true,
			"a.c": false, "a.c/x.h": false, "ignored.h": false, "round.h": false, "out.h": false, "../nothing.h": false,
		} {
			require.Equal(t, want, lacks(name), name)
		}
		require.NoError(t, os.Symlink(top, filepath.Join(dir, "other")), "another name of the repository's place")
		require.True(t, tree.Has(filepath.Join(dir, "other/sub/b.h")))
		require.NoError(t, os.Symlink(filepath.Join(top, "sub"), filepath.Join(dir, "within")))
		require.True(t, tree.Has(filepath.Join(dir, "within/b.h")))

		git("update-index", "--assume-unchanged", "assumed.h")
		write(t, top, "assumed.h", "another")
		write(t, top, "sub/deep/c.h", "another")
		for _, name := range []string{"gone.h", "moved.h"} {
			require.NoError(t, os.Remove(filepath.Join(top, name)))
		}
		for name, want := range map[string]string{"gone.h": "gone.h", "assumed.h": "assumed.h",
			"sub/deep/c.h": "sub/deep/c.h", "a.c": "a.c", "link.h": "sub/b.h"} {
			text, there, known, err := tree.Text(t.Context(), filepath.Join(top, name))
			require.NoError(t, err)
			require.Equal(t, []any{want, true, true}, []any{string(text), there, known}, name)
		}
		for name, want := range map[string]bool{"nothing.h": true, "sub": true, "ignored.h": false,
			"out.h": false, "moved.h": false,
			"folder/deep/c.h": false, "../outside.h": false, "round.h": false} {
			_, there, known, err := tree.Text(t.Context(), filepath.Join(top, name))
			require.NoError(t, err)
			require.Equal(t, []bool{false, want}, []bool{there, known}, name)
		}
		require.NoError(t, os.Symlink("sub/b.h", filepath.Join(top, "moved.h")))
		require.NoError(t, os.Mkdir(filepath.Join(top, "gone.h"), 0o777))
		write(t, top, "nested/d.h", "nested")
		git("-C", "nested", "init", "-q", ".")
		for _, name := range []string{"assumed.h", "sub/deep/c.h", "folder/deep/c.h", "gone.h", "moved.h", "nested/d.h"} {
			require.False(t, has(name), name)
			require.False(t, lacks(name), name)
		}
		require.False(t, lacks("gone.h/x.h"), "a folder in the place of a file")
		require.True(t, lacks("nested/nothing.h"), "where there was no folder there was no file")
		require.NoError(t, os.RemoveAll(filepath.Join(top, "sub")))
		require.False(t, lacks("sub/b.h"))
		require.False(t, lacks("sub"), "a folder that is gone")
		require.True(t, lacks("sub/nothing.h"))
	}
}

// What git says of a revision that there is not is told.
func TestNoRevision(t *testing.T) {
	dir, _ := repository(t, "sha1")
	_, err := Read(context.Background(), filepath.Join(dir, "top"), "nothing")
	require.EqualError(t, err, "git: fatal: Not a valid object name nothing")
	_, err = Read(context.Background(), dir, "HEAD")
	require.ErrorContains(t, err, "git: fatal: not a git repository")
}

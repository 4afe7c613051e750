// Package packaging tests the scripts that make archives and packages.
package packaging

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// whole says that the scripts build the program itself, as the release's workflow has it. Without it a program stands
// in for Go's, and what is built is a script that answers what the scripts ask: so the suite looks at all that the
// scripts do but for compiling the program without cgo, which nothing else needs.
var whole = flag.Bool("whole", false, "build the program itself")

// The program that stands in for Go's, and the one that it builds.
const (
	standIn = "#!/bin/sh\n" + `case "$1" in env | list) exec "$GO" "$@" ;; esac` + "\n" +
		`while [ "$1" != -o ]; do shift; done; cp "$BUILT" "$2"` + "\n"
	built = "#!/bin/sh\necho \"magus 1.2.3 $1\"\n"
)

// script runs one of the scripts and returns what it writes.
func script(t *testing.T, name string, args ...string) string {
	t.Helper()
	c := exec.Command(name, args...)
	c.Env = append(os.Environ(), "SOURCE_DATE_EPOCH=1700000000")
	if !*whole {
		compiler, err := exec.LookPath("go")
		require.NoError(t, err)
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "go"), []byte(standIn), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "built"), []byte(built), 0o700))
		c.Env = append(c.Env, "GO="+compiler, "BUILT="+filepath.Join(dir, "built"),
			"PATH="+dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	}
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.Output()
	require.NoError(t, err, stderr.String())
	return strings.TrimSpace(string(out))
}

// The archive of this platform has the same bytes wherever it is built, and a program
// that runs.
func TestArchivesAreReproducible(t *testing.T) {
	for _, program := range []string{"bash", "tar", "gzip", "sha256sum"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip("no " + program + " in PATH")
		}
	}
	if runtime.GOOS != "linux" {
		t.Skip("the script wants GNU tar")
	}
	target := runtime.GOOS + "/" + runtime.GOARCH
	build := func() (name string, text []byte) {
		dist := t.TempDir()
		name = script(t, "./build", "-o", dist, target)
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		sums, err := filepath.Glob(filepath.Join(dist, "magus_*_sha256sums.txt"))
		require.NoError(t, err)
		require.Len(t, sums, 1)
		return filepath.Base(name), text
	}
	name, first := build()
	_, second := build()
	require.Equal(t, first, second)
	names := unpack(t, string(first), t.TempDir(), strings.TrimSuffix(name, ".tar.gz"))
	for _, want := range []string{"magus", "magus.1", "magus.bash", "magus.zsh", "magus.fish",
		"magus.powershell", "README.md", "licences.md", "LICENSE", "LICENSES.txt"} {
		require.Contains(t, names, want)
	}
}

// unpack unpacks an archive, runs the program in it and returns the names of its files.
func unpack(t *testing.T, archive, dir, folder string) (names []string) {
	t.Helper()
	z, err := gzip.NewReader(strings.NewReader(archive))
	require.NoError(t, err)
	r := tar.NewReader(z)
	for {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		require.Equal(t, int64(1700000000), h.ModTime.Unix())
		if h.Typeflag != tar.TypeReg {
			continue
		}
		require.Equal(t, folder, filepath.Dir(h.Name))
		names = append(names, filepath.Base(h.Name))
		if filepath.Base(h.Name) == "magus" {
			text, err := io.ReadAll(r)
			require.NoError(t, err)
			program := filepath.Join(dir, "magus")
			require.NoError(t, os.WriteFile(program, text, 0o700))
			out, err := exec.Command(program, "version").Output()
			require.NoError(t, err)
			require.Regexp(t, `^magus \d`, string(out))
		}
	}
	slices.Sort(names)
	return names
}

// The Debian package can be unpacked, and lintian finds no error in it where it is
// installed.
func TestDebianPackage(t *testing.T) {
	if _, err := exec.LookPath("dpkg-deb"); err != nil {
		t.Skip("no dpkg-deb in PATH")
	}
	arch := runtime.GOARCH
	deb := script(t, "./deb", "-o", t.TempDir(), arch)
	list, err := exec.Command("dpkg-deb", "--contents", deb).Output()
	require.NoError(t, err)
	for _, want := range []string{"./usr/bin/magus", "./usr/share/man/man1/magus.1.gz",
		"./usr/share/bash-completion/completions/magus", "./usr/share/doc/magus/copyright",
		"./usr/share/doc/magus/LICENSES.txt"} {
		require.Contains(t, string(list), want)
	}
	info, err := exec.Command("dpkg-deb", "--field", deb, "Package", "Architecture", "Version").Output()
	require.NoError(t, err)
	require.Regexp(t, `Package: magus\nArchitecture: `+arch+`\nVersion: \d\S*-1\n`, string(info))
	if _, err := exec.LookPath("lintian"); err != nil || !*whole {
		t.Log("no lintian in PATH, or not the whole program: the package is not checked by it")
		return
	}
	report, err := exec.Command("lintian", "--fail-on", "error", "--suppress-tags",
		"bad-distribution-in-changes-file,statically-linked-binary", deb).CombinedOutput()
	require.NoError(t, err, string(report))
}

// The script of the workflow's step takes the program out of a release if it has its sum, and not if it has another.
func TestInstallOfRelease(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("the release of the test is for linux/amd64")
	}
	for _, program := range []string{"bash", "tar", "gzip", "sha256sum"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip("no " + program + " in PATH")
		}
	}
	release, tools := t.TempDir(), t.TempDir()
	shell := func(script string) {
		c := exec.Command("bash", "-ec", script)
		c.Dir = release
		out, err := c.CombinedOutput()
		require.NoError(t, err, string(out))
	}
	shell("mkdir magus_1_linux_amd64; echo program >magus_1_linux_amd64/magus; " +
		"tar -czf magus_1_linux_amd64.tar.gz magus_1_linux_amd64; rm -r magus_1_linux_amd64; " +
		"sha256sum *.tar.gz >magus_1_sha256sums.txt")
	download := "#!/bin/sh\n[ \"$3 $5\" = 'v1 owner/magus' ] && cp " + release + "/* .\n"
	require.NoError(t, os.WriteFile(filepath.Join(tools, "gh"), []byte(download), 0o700))
	install := func() (string, error) {
		folder := t.TempDir()
		c := exec.Command("../github-action/install", "owner/magus", "v1", folder)
		c.Env = append(os.Environ(), "PATH="+tools+":"+os.Getenv("PATH"))
		if out, err := c.CombinedOutput(); err != nil {
			return string(out), err
		}
		text, err := os.ReadFile(filepath.Join(folder, "magus"))
		return string(text), err
	}
	text, err := install()
	require.NoError(t, err, text)
	require.Equal(t, "program\n", text)
	shell("echo more >>magus_1_linux_amd64.tar.gz")
	text, err = install()
	require.Error(t, err)
	require.Contains(t, text, "FAILED")
}

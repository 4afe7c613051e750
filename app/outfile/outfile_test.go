package outfile_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/app/outfile"
)

// folder has files with texts that magus might have written.
func folder(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(session), 0o666))
	}
	return dir
}

const session = "magus session 1\nend\n"

func whole(text string) func(io.Writer) error {
	return func(out io.Writer) error {
		_, err := io.WriteString(out, text)
		return err
	}
}

func named(dir, name string) outfile.Name {
	return outfile.Name{Flag: "-o", Text: name, Path: filepath.Join(dir, name)}
}

func text(t *testing.T, dir, name string) string {
	t.Helper()
	got, err := os.ReadFile(filepath.Join(dir, name))
	require.NoError(t, err)
	return string(got)
}

// A file is written completely or stays as it was, and nothing else is left.
func TestWriteFile(t *testing.T) {
	dir := folder(t)
	write := func(name string, text func(io.Writer) error) error {
		return outfile.New().Write(named(dir, name), text)
	}
	require.NoError(t, write("a", whole(session)))
	require.Equal(t, session, text(t, dir, "a"))
	require.EqualError(t, write("a", func(out io.Writer) error {
		_, _ = io.WriteString(out, "half")
		return errors.New("no more room")
	}), "a: no more room; what is there is of an earlier run")
	require.Equal(t, session, text(t, dir, "a"))
	require.EqualError(t, write("b", func(io.Writer) error { return errors.New("no more room") }), "b: no more room")

	require.NoError(t, os.Symlink("a", filepath.Join(dir, "link")))
	require.NoError(t, write("link", whole("two")))
	require.Equal(t, "two", text(t, dir, "a"), "what a link leads to is replaced")
	require.NoError(t, os.Symlink("new", filepath.Join(dir, "dangling")))
	require.NoError(t, write("dangling", whole("three")))
	require.Equal(t, "three", text(t, dir, "new"))
	require.NoError(t, write("../"+filepath.Base(dir)+"/"+string(bytes.Repeat([]byte("n"), 255)), whole("a long name")))
	require.NoError(t, outfile.New().Write(outfile.Name{Text: os.DevNull, Path: os.DevNull}, whole("gone")))
	require.EqualError(t, write("none/a", whole("")), "none/a: no such folder")
	require.EqualError(t, write(".", whole("")), ".: is a directory")
	require.EqualError(t, write("a", whole("")), "a: not written: magus has not written what is there; "+
		"--force replaces it")

	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 5)
}

// A file that is there keeps its permissions.
func TestPermissions(t *testing.T) {
	dir := folder(t, "a")
	require.NoError(t, os.Chmod(filepath.Join(dir, "a"), 0o602))
	require.NoError(t, outfile.New().Write(named(dir, "a"), whole(session)))
	info, err := os.Stat(filepath.Join(dir, "a"))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o602), info.Mode().Perm())
}

// What a run reads is known by whatever name, also if it is read after the outputs were tried.
func TestInputs(t *testing.T) {
	dir := folder(t, "a", "b")
	require.NoError(t, os.Symlink(dir, filepath.Join(dir, "round")))
	require.NoError(t, os.Link(filepath.Join(dir, "a"), filepath.Join(dir, "hard")))
	for _, name := range []string{"a", "round/round/a", "hard"} {
		run := outfile.New()
		run.Force = func() bool { return true }
		require.NoError(t, run.Try(named(dir, name)))
		run.Reads(filepath.Join(dir, "b"), filepath.Join(dir, "round", "a"))
		require.EqualError(t, run.Try(), name+": not written: this run reads it")
		require.NoError(t, run.Write(named(dir, name), whole("lost")), "it was said")
		require.Equal(t, session, text(t, dir, "a"))
		require.Empty(t, run.Old(), "it was said")
	}
	run := outfile.New()
	run.Reads(filepath.Join(dir, "not there"))
	require.EqualError(t, run.Try(named(dir, "not there")), "not there: not written: this run reads it")
	shell := outfile.New()
	shell.Reads(filepath.Join(dir, "a"))
	require.EqualError(t, shell.Shell().Command().Write(named(dir, "a"), whole("lost")),
		"a: not written: this run reads it")
}

// Outputs that could be written and were not are old.
func TestOld(t *testing.T) {
	dir := folder(t, "a", "b", "empty")
	require.NoError(t, os.Truncate(filepath.Join(dir, "empty"), 0))
	run := outfile.New()
	b, journal := named(dir, "b"), named(dir, "j")
	b.Flag, journal.Flag, journal.Appends = "-b", "-j", true
	empty := named(dir, "empty")
	empty.Flag = "-e"
	require.NoError(t, run.Try(named(dir, "a"), b, journal, empty, outfile.Name{}))
	require.NoError(t, run.Write(b, whole(session)))
	require.Equal(t, []string{"a: not written; what is there is of an earlier run"}, run.Old())
}

// The commands of a shell write what others of them have written, and nobody else's.
func TestShells(t *testing.T) {
	dir := folder(t)
	run := outfile.New()
	one, two := run.Shell(), run.Shell()
	output := outfile.Name{Text: "out", Path: filepath.Join(dir, "out")}
	require.NoError(t, one.Write(output, whole("any text")))
	require.NoError(t, one.Write(output, whole("any other text")))
	require.NoError(t, one.Write(named(dir, "out.aut"), whole("des (0, 0, 1)\n")))
	require.NoError(t, one.Command().Write(named(dir, "out.aut"), whole("des (0, 0, 1)\n")))
	require.NoError(t, one.Command().Write(named(dir, "out.aut"), whole("des (0, 0, 1)\n")))
	require.EqualError(t, two.Write(output, whole("lost")), "out: not written: another part of the run writes it")
	require.EqualError(t, two.Command().Write(named(dir, "out.aut"), whole("lost")),
		"out.aut: not written: another part of the run writes it")
	require.EqualError(t, outfile.New().Write(output, whole("lost")),
		"out: not written: magus has not written what is there; --force replaces it")
	output.Whole = []byte("any other text")
	require.NoError(t, outfile.New().Write(output, whole("any other text")), "nothing is lost")
	output.Appends = true
	require.NoError(t, outfile.New().Write(output, whole("any other text, and more")))
	output.Appends = false
	require.Equal(t, "any other text, and more", text(t, dir, "out"))
	behind := outfile.New()
	output.Appends = true
	require.NoError(t, behind.Write(output, whole("somebody's text, and more")))
	output.Appends = false
	require.ErrorContains(t, behind.Write(output, whole("lost")), "magus has not written what is there")
}

// TestWritten: what others write is not taken for what magus writes. That magus knows its own files the tests of
// commands show.
func TestWritten(t *testing.T) {
	for _, text := range []string{
		"int main(void) { return 0; }\n", "des (0,2,3)\n(0,\"a\",1)\n", "des (0, 2, 3)\n(0, \"a\", 1)\n(1, \"b\", 2)\n",
		"/* Written by hand */\n", "A = ( a -> STOP ).\n", "digraph G {\n\trankdir=LR;\n}\n",
		"<svg xmlns=\"http://www.w3.org/2000/svg\"/>",
		"<?xml version=\"1.0\"?>\n<testsuites>\n", "<?xml version=\"1.0\"?>\n<svg>",
		"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<title>magus</title>",
		"TN:\nSF:a.c\nend_of_record\n", "{\n  \"version\": \"2.1.0\",\n  \"runs\": []}", "[]\n", "{}\n", "\n",
		" ", "vars x\n",
		"(set-logic QF_BV)\n", "verdict: unknown\nof late\n", "%PDF-1.7\n%\xb5\xed\xae\xfb\n",
		"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
		"\xff\xfe\x00", "magus", "mag", "# Written by somebody\n",
	} {
		require.False(t, outfile.Written([]byte(text)), text)
	}
	require.True(t, outfile.Written(nil))
	require.True(t, outfile.Written([]byte("alphabet {"+strings.Repeat("a, ", 1000))), "a large alphabet")
	require.True(t, outfile.Written([]byte(session)))
}

// TestDrawn: what Graphviz has drawn is marked, and is a picture as before.
func TestDrawn(t *testing.T) {
	part := func(name, data string) []byte {
		text := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
		text = append(text, name+data...)
		return binary.BigEndian.AppendUint32(text, crc32.ChecksumIEEE([]byte(name+data)))
	}
	png := append([]byte("\x89PNG\r\n\x1a\n"), part("IHDR", "0123456789abc")...)
	png = append(png, part("IEND", "")...)
	for format, text := range map[string]string{
		"png": string(png),
		"svg": "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n<!DOCTYPE svg PUBLIC>\n<svg></svg>\n",
		"pdf": "%PDF-1.7\n%\xb5\xed\xae\xfb\n4 0 obj\n",
	} {
		require.False(t, outfile.Written([]byte(text)), format)
		marked := outfile.Drawn(format, []byte(text))
		require.True(t, outfile.Written(marked), "%s: %q", format, marked)
		if format == "pdf" {
			require.Len(t, marked, len(text), "places are counted in bytes")
		}
		for cut := range len(text) { // nothing is lost of what is none
			require.NotPanics(t, func() { outfile.Drawn(format, []byte(text[:cut])) })
		}
	}
	marked := outfile.Drawn("png", png)
	require.Equal(t, part("tEXt", "Software\x00magus"), marked[8+25:len(marked)-12])
	require.Equal(t, "text", string(outfile.Drawn("png", []byte("text"))))
}

// Files of caches appear whole, and nothing that is no file of a cache is replaced.
func TestKeep(t *testing.T) {
	dir := folder(t)
	path := filepath.Join(dir, "folder", "a")
	kept := []byte(`{"Format":"magus predicates 2","Claim":""}`)
	require.NoError(t, outfile.Keep(path, kept))
	require.NoError(t, outfile.Keep(path, kept))
	require.NoError(t, os.WriteFile(path, []byte("damaged"), 0o666))
	require.NoError(t, outfile.Keep(path, kept))
	require.Equal(t, string(kept), text(t, dir, "folder/a"))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "b"), []byte("somebody's"), 0o666))
	require.NoError(t, os.Symlink("../b", filepath.Join(dir, "folder", "link")))
	require.NoError(t, outfile.Keep(filepath.Join(dir, "folder", "link"), kept))
	require.Equal(t, "somebody's", text(t, dir, "b"))
	require.Equal(t, string(kept), text(t, dir, "folder/link"))
	require.ErrorContains(t, outfile.Keep(filepath.Join(path, "b"), kept), "not a directory")
	require.ErrorContains(t, outfile.Keep(filepath.Join(dir, "folder"), kept), "is a directory")
}

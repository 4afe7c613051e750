//go:build unix

package cli_test

// Outputs in all places: whatever the name of an output leads to, no file is lost that this program did not write.

import (
	"bytes"
	"cmp"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/app/cli"
	"magus/app/outfile"
	"magus/internal/sample"
)

// A kind of output, and the command that writes it.
type outputKind struct {
	name    string
	command string // OUT is the output, in the folder of the inputs
	typed   string // scripts of the shell: the file s.magus
	out     string // the name of the output, where its end matters
	input   string // what is read
	status  int
	verdict string // what is printed
	goesOn  bool   // behind what is there
	any     bool   // it may hold anything
	drawn   bool   // as the end of the name says
	folder  bool   // it may be one, and then a file is written in it
}

func outputKinds() []outputKind {
	check := func(flag, out string) outputKind {
		return outputKind{name: "check --" + flag, command: "check --" + flag + " OUT f.c f.spec", out: out,
			input: "f.c", status: 1, verdict: "violates"}
	}
	lts := func(to, out string) outputKind {
		return outputKind{name: "lts convert " + to, command: "lts convert --to " + to + " b.aut -o OUT",
			out: out, input: "b.aut"}
	}
	script := func(name, line, out string) outputKind {
		return outputKind{name: "the shell: " + name, command: "run s.magus", typed: "load f.c f.spec\n" + line + "\n",
			out: out, input: "f.c"}
	}
	all := []outputKind{
		check("certificate", "o.json"), check("harness", "o.c"), check("coverage", "o.txt"), check("report", "o.html"),
		check("sarif", "o.sarif"), check("junit", "o.xml"),
		{name: "check --json --sarif", command: "check --json --sarif OUT f.c f.spec", out: "o.sarif",
			input: "inc/h.h", status: 1, verdict: `"verdict": "violates"`},
		{name: "check --coverage .info", command: "check --coverage OUT g.c f.spec", out: "o.info",
			input: "f.spec", verdict: "conforms"},
		{name: "check --witness", command: "check --property unreach-call --witness OUT g.c", out: "o.yml",
			input: "g.c", verdict: "conforms"},
		{name: "check of imports", command: "check --junit OUT g.c i.spec", out: "o.xml", input: "a.aut",
			verdict: "conforms"},
		{name: "check of compile commands", command: "check -p build --sarif OUT f.spec", out: "o.sarif",
			input: "build/compile_commands.json", status: 1, verdict: "violates"},
		lts("aut", "o.aut"), lts("spec", "o.spec"), lts("dot", "o.dot"), lts("svg", "o.svg"), lts("text", "o.txt"),
		{name: "lts minimize", command: "lts minimize i.spec:A -o OUT", out: "o.aut", input: "a.aut"},
		{name: "lts compare --certificate", command: "lts compare --certificate OUT a.aut a.aut", out: "o.cert",
			input: "a.aut", verdict: "holds"},
		{name: "param convert", command: "param convert m.param -o OUT", out: "o.spec", input: "m.param"},
		{name: "param check --certificate", command: "param check --certificate OUT m.param", out: "o.proof",
			input: "m.param", verdict: "safe"},
		{name: "param check --report", command: "param check --report OUT m.param", out: "o.html",
			input: "m.param", verdict: "safe"},
		{name: "rules check --report", command: "rules check --rule pthread-mutex --report OUT l.c",
			out: "o.html", input: "l.c", status: 1,
			verdict: "1 broken", folder: true},
		{name: "rules check --sarif", command: "rules check --rule pthread-mutex --sarif OUT l.c", out: "o.sarif",
			input: "l.c", status: 1, verdict: "1 broken"},
		{name: "rules check --write-baseline", command: "rules check --rule pthread-mutex --write-baseline --baseline OUT l.c",
			out: "o.txt", input: "l.c"},
		{name: "rules plan", command: "rules plan --rule pthread-mutex -o OUT l.c", out: "o.ninja", input: "l.c"},
		{name: "rules job --done", command: "rules job --part 1/1 --cache kept --rule pthread-mutex --done OUT l.c",
			out: "o.done", input: "l.c", verdict: "part 1 of 1"},
		{name: "dot -o .dot", command: "dot cfa f.c f.spec -o OUT", out: "o.dot", input: "f.c", drawn: true},
		{name: "dot -o .svg", command: "dot cfa f.c f.spec -o OUT", out: "o.svg", input: "inc/h.h", drawn: true},
		{name: "suite --junit", command: "suite --junit OUT s.toml", out: "o.xml", input: "s.toml", verdict: "as expected"},
		{name: "suite --sarif", command: "suite --sarif OUT s.toml", out: "o.sarif", input: "f.c", verdict: "as expected"},
		{name: "suite --report", command: "suite --report OUT s.toml", out: "o.html", input: "f.spec",
			verdict: "as expected"},
		{name: "suite --results", command: "suite --results OUT s.toml", out: "o.json", input: "s.toml",
			verdict: "as expected"},
		{name: "suite --resume", command: "suite --resume OUT s.toml", out: "o.journal", input: "s.toml",
			verdict: "as expected", goesOn: true},
		{name: "suite merge --junit", command: "suite merge --junit OUT r.json", out: "o.xml", input: "r.json",
			verdict: "as expected"},
		{name: "suite merge --report", command: "suite merge --report OUT r.json", out: "o.html",
			input: "r.json", verdict: "as expected"},
		{name: "run --junit", command: "run --junit OUT s.magus", typed: "load f.c f.spec\n", out: "o.xml", input: "s.magus"},
		script("save", "save OUT", "o.session"), script("lts -o", "lts convert a.aut -o OUT", "o.aut"),
	}
	over, behind := script(">", "claims > OUT", "o.txt"), script(">>", "claims >> OUT", "o.txt")
	over.any, behind.any, behind.goesOn = true, true, true
	drawn := script("draw", "draw cfa f OUT", "o.svg")
	drawn.drawn = true
	return append(all, over, behind, drawn)
}

// foreign is a text that nobody takes for what magus writes.
const foreign = "what somebody has written\nin days of work\n"

// outputFiles are the inputs of all kinds.
func outputFiles(typed string) map[string]string {
	const stepIs = "Step = ( step -> return {} -> STOP ).\nprocedure step { abstract { step_is, (1), Step }; }\n"
	return map[string]string{
		"f.c":     "#include \"inc/h.h\"\nvoid f(void) { step(); step(); }\n",
		"g.c":     "#include \"inc/h.h\"\nvoid f(void) { step(); }\nint main(void) { return 0; }\n",
		"inc/h.h": "void step(void);\n",
		"f.spec": stepIs + "Once = ( step -> return {} -> STOP ).\n" +
			"procedure f { abstract { once, (1), Once }; }\n",
		"l.c":                         "#include <pthread.h>\nvoid f(pthread_mutex_t *m) { pthread_mutex_lock(m); }\n",
		"i.spec":                      stepIs + "A = import \"a.aut\".\nprocedure f { abstract { once, (1), A }; }\n",
		"a.aut":                       "des (0, 2, 3)\n(0, step, 1)\n(1, \"return{}\", 2)\n",
		"b.aut":                       "des (0, 2, 3)\n(0, step, 1)\n(1, step, 2)\n",
		"s.toml":                      "[[claim]]\nfiles = [\"f.c\", \"f.spec\"]\nverdict = \"violates\"\n",
		"s.magus":                     typed,
		"build/compile_commands.json": `[{"directory": "..", "file": "f.c", "command": "cc -c f.c"}]`,
		"foreign":                     foreign,
		"m.param":                     paramModel,
	}
}

const paramModel = `states t, r, w;
shared lock: bool;
rule enter: t -> w : lock, not lock';
init t >= 0, lock;
bad w >= 2;
`

// A place is where the name of an output may lead. made prepares it, and returns the name that the output is given.
type outputPlace struct {
	name   string
	made   func(t *testing.T, dir, input, name string) string
	flags  string
	status int    // -1: that of the command
	says   string // on standard error
	writes bool   // a whole output is there afterwards
	keeps  bool   // the foreign file stays as it was
}

func outputPlaces() []outputPlace {
	linkTo := func(link func(a, b string) error, to string) func(*testing.T, string, string, string) string {
		return func(t *testing.T, dir, input, name string) string {
			require.NoError(t, link(filepath.Join(dir, cmp.Or(to, input)), filepath.Join(dir, name)))
			return name
		}
	}
	file := func(text string, mode os.FileMode) func(*testing.T, string, string, string) string {
		return func(t *testing.T, dir, _, name string) string {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), mode))
			return name
		}
	}
	named := func(at string) func(*testing.T, string, string, string) string {
		return func(*testing.T, string, string, string) string { return at }
	}
	return []outputPlace{
		{name: "nothing is there", made: func(_ *testing.T, _, _, name string) string { return name },
			status: -1, writes: true},
		{name: "an empty file", made: file("", 0o640), status: -1, writes: true},
		{name: "an input", made: func(_ *testing.T, _, input, _ string) string { return input }, status: 2,
			says: "not written: "},
		{name: "an input, by force", made: func(_ *testing.T, _, input, _ string) string { return "./inc/../" + input },
			flags: "--force", status: 2, says: "this run reads it"},
		{name: "a link to an input", made: linkTo(os.Symlink, ""), flags: "--force", status: 2, says: "this run reads it"},
		{name: "a hard link of an input", made: linkTo(os.Link, ""), flags: "--force", status: 2, says: "this run reads it"},
		{name: "somebody's file", made: file(foreign, 0o666), status: 2, says: "replaces it", keeps: true},
		{name: "a link to somebody's file", made: linkTo(os.Symlink, "foreign"), status: 2, says: "replaces it", keeps: true},
		{name: "somebody's file, by force", made: file(foreign, 0o666), flags: "--force", status: -1, writes: true},
		{name: "a file that is read-only", made: file(foreign, 0o444), flags: "--force", status: 2,
			says: "read-only", keeps: true},
		{name: "a folder", made: func(t *testing.T, dir, _, name string) string {
			require.NoError(t, os.Mkdir(filepath.Join(dir, name), 0o777))
			return name
		}, flags: "--force", status: 2, says: "is a directory"},
		{name: "no folder", made: func(_ *testing.T, _, _, name string) string { return "none/" + name },
			status: 2, says: "no such folder"},
		{name: "below a file", made: func(_ *testing.T, _, _, name string) string { return "foreign/" + name },
			status: 2, says: "not a directory", keeps: true},
		{name: "a pipe", made: func(t *testing.T, dir, _, name string) string {
			require.NoError(t, syscall.Mkfifo(filepath.Join(dir, name), 0o666))
			return name
		}, flags: "--force", status: 2, says: "a pipe"},
		{name: "a link to itself", made: func(t *testing.T, dir, _, name string) string {
			require.NoError(t, os.Symlink(name, filepath.Join(dir, name)))
			return name
		}, status: 2, says: "too many levels of symbolic links"},
		{name: "a link to nothing", made: func(t *testing.T, dir, _, name string) string {
			require.NoError(t, os.Symlink("new", filepath.Join(dir, name)))
			return name
		}, status: -1, writes: true},
		{name: "/dev/null", made: named("/dev/null"), status: -1},
		{name: "/dev/full", made: named("/dev/full"), status: 2, says: "no space left on device"},
	}
}

// TestOutputsInAllPlaces: of each kind of output, in each place: no input is touched, nor what somebody else has
// written, the verdict is printed wherever there is one, and a message says what was not written.
func TestOutputsInAllPlaces(t *testing.T) {
	runs := 0
	for i, kind := range outputKinds() {
		for k, place := range outputPlaces() {
			if (i+k)%3 > 0 && !sample.Campaign() || sample.LeftOut(i+k, 14) {
				continue
			}
			runs++
			t.Run(kind.name+"/"+place.name, func(t *testing.T) { place.holds(t, kind) })
		}
	}
	if !testing.Short() {
		require.Greater(t, runs, 200)
	}
}

// holds runs a command with its output in a place.
func (place outputPlace) holds(t *testing.T, kind outputKind) {
	if _, err := os.Stat(place.name); err != nil && place.name == "/dev/full" {
		t.Skip("no /dev/full here")
	}
	dir, files := outputFolder(t, kind)
	at := place.made(t, dir, kind.input, kind.out)
	if kind.typed != "" {
		files["s.magus"] = strings.ReplaceAll(kind.typed, "OUT", at)
		require.NoError(t, os.WriteFile(filepath.Join(dir, "s.magus"), []byte(files["s.magus"]), 0o666))
	}
	status, out, stderr := runHere(t, dir, strings.ReplaceAll(kind.command, "OUT", at), place.flags)

	want := kind.in(place)
	require.Equal(t, want.status, status, "%s%s", out, stderr)
	require.Contains(t, stderr, want.says)
	if want.says == "" {
		require.NotContains(t, stderr, "not written")
	}
	if want.status == kind.status || want.says == "no space left on device" {
		require.Contains(t, out, kind.verdict, "the verdict is told whatever becomes of the output")
	}
	if strings.HasPrefix(kind.command, "check") && want.status == 2 && want.says != "no space left on device" {
		require.Empty(t, out, "it is said before any work")
	}
	if kind.goesOn {
		delete(files, "foreign")
	}
	for name, text := range files {
		require.Equal(t, text, contents(t, dir, name), "%s is as it was", name)
	}
	switch {
	case place.keeps && kind.goesOn && want.status == 0:
		require.True(t, strings.HasPrefix(contents(t, dir, at), foreign), "what was there stays")
	case place.keeps && place.name != "below a file":
		require.Equal(t, foreign, contents(t, dir, at))
	case place.writes && want.status == kind.status && !kind.goesOn && !kind.any:
		require.True(t, outfile.Written([]byte(contents(t, dir, at))), "magus would know it again: %s", contents(t, dir, at))
		require.NotEmpty(t, contents(t, dir, at))
	}
	left, err := filepath.Glob(filepath.Join(dir, "*.tmp"))
	require.NoError(t, err)
	require.Empty(t, left, "no temporary file")
}

// in is what has to come of the kind of output in a place.
func (k outputKind) in(place outputPlace) outputPlace {
	foreigner := place.keeps && place.says == "replaces it" || place.name == "somebody's file, by force"
	switch {
	case k.goesOn && k.typed != "" && foreigner:
		place.status, place.says = 0, ""
	case k.goesOn && k.typed == "" && foreigner: // a journal goes on behind a journal only
		place.status, place.says = 2, "no result of a suite"
	case k.goesOn && k.typed == "" && strings.HasPrefix(place.name, "/dev/"):
		place.status, place.says = 2, "a device"
	case k.folder && place.name == "a folder":
		place.status, place.says = k.status, ""
	case k.drawn && (strings.HasPrefix(place.name, "/dev/") || k.typed != "" && strings.HasPrefix(place.name, "an input")):
		place.status, place.says = 2, "the name has to end with"
	case place.status < 0:
		place.status = k.status
	}
	return place
}

// outputFolder is a folder with the inputs of a kind of output.
func outputFolder(t *testing.T, kind outputKind) (dir string, files map[string]string) {
	t.Helper()
	dir, files = t.TempDir(), outputFiles(kind.typed)
	require.NoError(t, os.Mkdir(filepath.Join(dir, "inc"), 0o777))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "build"), 0o777))
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	if strings.Contains(kind.command, "r.json") {
		status, _, stderr := runHere(t, dir, "suite -q --results r.json s.toml", "")
		require.Equal(t, 0, status, stderr)
		files["r.json"] = contents(t, dir, "r.json")
	}
	return dir, files
}

func contents(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	require.NoError(t, err)
	return string(text)
}

// runHere runs a command in a folder.
func runHere(t *testing.T, dir, command, flags string) (status int, out, stderr string) {
	t.Helper()
	w, o, e := testWorld(dir)
	w.Stdin = io.NopCloser(bytes.NewReader(nil))
	status = cli.Main(t.Context(), append(strings.Fields(command), strings.Fields(flags)...), w)
	return status, o.String(), e.String()
}

// TestOutputsInOneFile: of several outputs that name one file, by whatever names, none replaces another.
func TestOutputsInOneFile(t *testing.T) {
	for _, c := range []struct{ name, command, says string }{
		{"one name", "check --sarif o --junit o f.c f.spec", "--sarif and --junit name one file"},
		{"two names", "check --certificate o --report ./inc/../o f.c f.spec", "--certificate and --report name one file"},
		{"a link to nothing", "check --coverage new --harness link f.c f.spec", "--harness and --coverage name one file"},
		{"hard links", "check --sarif one --junit two f.c f.spec", "--sarif and --junit name one file"},
		{"a suite", "suite --junit o --results o s.toml", "--junit and --results name one file"},
		{"a journal", "suite --junit o --resume o s.toml", "--junit and --resume name one file"},
		{"results that are merged", "suite merge --junit o --report o r.json", "--junit and --report name one file"},
		{"a model", "param check --certificate o --report o m.param", "--certificate and --report name one file"},
		{"the shell and the results of scripts", "run --junit o s.magus", "another part of the run writes it"},
		{"two scripts", "run s.magus t.magus", "another part of the run writes it"},
	} {
		t.Run(c.name, func(t *testing.T) {
			kind := outputKind{command: c.command, typed: "load f.c f.spec\nsave o\n"}
			dir, files := outputFolder(t, kind)
			require.NoError(t, os.WriteFile(filepath.Join(dir, "t.magus"), []byte(kind.typed), 0o666))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "one"), nil, 0o666))
			require.NoError(t, os.Link(filepath.Join(dir, "one"), filepath.Join(dir, "two")))
			require.NoError(t, os.Symlink("new", filepath.Join(dir, "link")))
			status, _, stderr := runHere(t, dir, c.command, "--force")
			require.Equal(t, 2, status, stderr)
			require.Contains(t, stderr, c.says)
			for name, text := range files {
				require.Equal(t, text, contents(t, dir, name))
			}
		})
	}
}

// TestOneOutputOfSeveral: one output that cannot be written takes no other with it, and what is there from an earlier
// run is said to be old.
func TestOneOutputOfSeveral(t *testing.T) {
	dir, _ := outputFolder(t, outputKind{})
	const all = "check --json --certificate c.json --harness /dev/full --coverage c.txt --report r.html " +
		"--sarif s.sarif --junit j.xml "
	status, out, stderr := runHere(t, dir, all+"f.c f.spec", "")
	require.Equal(t, 2, status)
	require.Contains(t, stderr, "/dev/full: no space left on device")
	require.Contains(t, out, `"verdict": "violates"`)
	for _, name := range []string{"c.json", "c.txt", "r.html", "s.sarif", "j.xml"} {
		require.True(t, outfile.Written([]byte(contents(t, dir, name))), name)
		require.NotEmpty(t, contents(t, dir, name), name)
	}

	certificate, results := contents(t, dir, "c.json"), contents(t, dir, "j.xml")
	status, out, stderr = runHere(t, dir, strings.ReplaceAll(all, "/dev/full", "f.c")+"f.c f.spec", "")
	require.Equal(t, 2, status)
	require.Empty(t, out)
	require.Contains(t, stderr, "f.c: not written: this run reads it")
	require.Contains(t, stderr, "c.json: not written; what is there is of an earlier run")
	require.Equal(t, certificate, contents(t, dir, "c.json"))
	require.NotEqual(t, results, contents(t, dir, "j.xml"), "results tell of the mistake")
	require.Contains(t, contents(t, dir, "j.xml"), "f.c: not written")
}

// TestForgottenName: the name of the output is forgotten, and the C file takes its place.
func TestForgottenName(t *testing.T) {
	for _, flag := range []string{"--sarif", "--junit", "--certificate", "--report", "--coverage",
		"--harness", "--witness"} {
		dir, files := outputFolder(t, outputKind{})
		status, out, stderr := runHere(t, dir, "check "+flag+" f.c f.spec", "")
		require.Equal(t, 2, status)
		require.Empty(t, out)
		require.Contains(t, stderr, "is the name of the output missing behind "+flag+"?")
		require.Equal(t, files["f.c"], contents(t, dir, "f.c"))
	}
}

// TestOnlyRegularFilesAreRead: what is a pipe, a device, a folder or too large is refused, at once.
func TestOnlyRegularFilesAreRead(t *testing.T) {
	for _, name := range []string{"x.c", "x.spec", "x.aut", "x.param", "x.toml", "x.magus", "x.json", "x.lts"} {
		for what, says := range map[string]string{"pipe": "a pipe", "device": "a device",
			"folder": "is a directory", "large": "larger than"} {
			dir, _ := outputFolder(t, outputKind{})
			path := filepath.Join(dir, name)
			switch what {
			case "pipe":
				require.NoError(t, syscall.Mkfifo(path, 0o666))
			case "device":
				require.NoError(t, os.Symlink("/dev/zero", path))
			case "folder":
				require.NoError(t, os.Mkdir(path, 0o777))
			default:
				require.NoError(t, os.WriteFile(path, nil, 0o666))
				require.NoError(t, os.Truncate(path, 1<<40))
			}
			if what == "large" && name == "x.aut" { // which is read as it comes
				continue
			}
			command := map[string]string{"x.c": "check x.c f.spec", "x.spec": "check f.c x.spec", "x.aut": "lts info x.aut",
				"x.param": "param check x.param", "x.toml": "suite x.toml", "x.magus": "run x.magus",
				"x.json": "verify-certificate x.json f.c f.spec", "x.lts": "lts info x.lts:A"}[name]
			status, _, stderr := runHere(t, dir, command, "")
			require.Equal(t, 2, status, "%s: %s", command, stderr)
			require.Contains(t, stderr, says, command)
		}
	}
}

// TestCachesAreNotWaitedFor: a pipe in the place of a file of a cache is no file of a cache.
func TestCachesAreNotWaitedFor(t *testing.T) {
	for command, says := range map[string]string{
		"check --cache kept lock.c lock.spec": "the check begins anew: a pipe",
		"suite --cache kept s.toml":           "not used",
	} {
		dir, _ := outputFolder(t, outputKind{})
		for _, name := range []string{"lock.c", "lock.spec"} {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(contents(t, "../../examples/lock", name)), 0o666))
		}
		first, _, _ := runHere(t, dir, command, "")
		kept, err := filepath.Glob(filepath.Join(dir, "kept", "*"))
		require.NoError(t, err)
		require.Len(t, kept, 1)
		require.NoError(t, os.Remove(kept[0]))
		require.NoError(t, syscall.Mkfifo(kept[0], 0o666))
		again, _, stderr := runHere(t, dir, command, "")
		require.Equal(t, first, again, stderr)
		require.Contains(t, stderr, says)
		info, err := os.Lstat(kept[0])
		require.NoError(t, err)
		require.NotZero(t, info.Mode()&os.ModeNamedPipe, "what is no file stays")
	}
}

// TestSavedSessionsDoNotForce: that outputs may replace files of others is no part of a session.
func TestSavedSessionsDoNotForce(t *testing.T) {
	dir, _ := outputFolder(t,
		outputKind{typed: "set force true\nload f.c f.spec\nclaims > foreign\nsave o\nclaims > o.txt\nrestore o\nsave o\n"})
	status, out, stderr := runHere(t, dir, "run s.magus", "")
	require.Equal(t, 0, status, out+stderr)
	require.NotEqual(t, foreign, contents(t, dir, "foreign"))
	require.NotContains(t, contents(t, dir, "o"), "force")
}

package cli_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/app/cli"
	"magus/app/suite"
	"magus/internal/sample"
)

// A meddler changes files of a project at random, also into what is no file.
type meddler struct {
	t    *testing.T
	rnd  *rand.Rand
	dir  string // of the project
	said []string
}

// The names that a meddler changes: headers, the folders in which they are, links, and what lies outside.
var (
	meddledHeaders = []string{"x.h", "near/x.h", "far/x.h", "opt/y.h", "near/sub/x.h"}
	meddledFolders = []string{"near", "far", "opt", "near/sub"}
	meddledSources = []string{"a.c", "d.c", "lock.spec", "once.spec", "model.aut"}
	meddledTargets = []string{"x.h", "near", "near/x.h", "far/x.h", "far", "../outside/x.h", "../outside",
		"nothing", "near/../far/x.h"}
)

func (m *meddler) path(name string) string { return filepath.Join(m.dir, name) }

// write gives a file one of two texts. A folder that is missed is made.
func (m *meddler) write(name string) {
	texts := []string{"#define TIMES 1\n", "#define TIMES 2\n"}
	switch name {
	case "a.c", "b.c", "d.c", "lock.spec", "once.spec":
		texts = []string{unchangedProject[name], unchangedProject[name] + "\n",
			strings.Replace(unchangedProject[name], "lock()", "(lock())", 1),
			strings.Replace(unchangedProject[name], "lock -> Held |", "lock -> Free |", 1)}
	case "model.aut":
		texts = []string{unchangedProject[name], "des (0, 1, 2)\n(0, \"lock\", 1)\n"}
	}
	_ = os.MkdirAll(filepath.Dir(m.path(name)), 0o777)
	_ = os.WriteFile(m.path(name), []byte(texts[m.rnd.IntN(len(texts))]), 0o666)
}

// regular reports whether a name is no fifo, which writing would wait for.
func (m *meddler) regular(name string) bool {
	info, err := os.Stat(m.path(name))
	return err != nil || info.Mode().IsRegular()
}

func oneOf[T any](r *rand.Rand, all ...T) T { return all[r.IntN(len(all))] }

// meddle changes something, and notes what.
func (m *meddler) meddle() {
	name := oneOf(m.rnd, meddledHeaders...)
	act := m.rnd.IntN(12)
	switch act {
	case 0, 1, 2:
		if m.regular(name) {
			m.write(name)
		}
	case 3: // as it was, with another text and the times of before
		if info, err := os.Stat(m.path(name)); err == nil && info.Mode().IsRegular() {
			m.write(name)
			_ = os.Chtimes(m.path(name), info.ModTime(), info.ModTime())
		}
	case 4:
		name = oneOf(m.rnd, slices.Concat(meddledHeaders, meddledFolders)...)
		_ = os.RemoveAll(m.path(name))
	case 5:
		_ = os.RemoveAll(m.path(name))
		_ = os.MkdirAll(m.path(name), 0o777)
	case 6:
		_ = os.RemoveAll(m.path(name))
		_ = syscall.Mkfifo(m.path(name), 0o666)
	case 7:
		name = oneOf(m.rnd, slices.Concat(meddledHeaders, meddledFolders)...)
		_ = os.RemoveAll(m.path(name))
		_ = os.MkdirAll(filepath.Dir(m.path(name)), 0o777)
		to := oneOf(m.rnd, meddledTargets...)
		if m.rnd.IntN(3) == 0 {
			to = m.path(to)
		}
		_ = os.Symlink(to, m.path(name))
		name += " -> " + to
	case 8:
		to := oneOf(m.rnd, slices.Concat(meddledHeaders, meddledFolders)...)
		_ = os.Rename(m.path(name), m.path(to))
		name += " to " + to
	case 9: // a file in the place of a folder
		name = oneOf(m.rnd, meddledFolders...)
		_ = os.RemoveAll(m.path(name))
		m.write(name)
	case 10:
		name = "../outside/x.h"
		m.write(name)
	default:
		name = oneOf(m.rnd, meddledSources...)
		m.write(name)
	}
	m.said = append(m.said, fmt.Sprintf("%d %s", act, name))
}

// unchangedProject is what a meddler begins with.
var unchangedProject = map[string]string{
	"s.toml": `[options]
timeout = "1m"
[[claim]]
files = ["a.c", "lock.spec"]
options = { procedure = "good", include = "near,far" }
verdict = "conforms"
[[claim]]
files = ["b.c", "lock.spec"]
options = { procedure = "good", include = "far" }
verdict = "conforms"
[[claim]]
files = ["c.c", "aut.spec"]
options = { procedure = "good" }
verdict = "conforms"
`,
	"a.c": "#include \"x.h\"\nvoid lock(void);\nvoid unlock(void);\nvoid good(int n) { " +
		"for (int i = 0; i < TIMES; i++) lock(); unlock(); }\n",
	"b.c": "#if __has_include(\"opt/y.h\")\n#include \"opt/y.h\"\n" +
		"#elif __has_include(<sub/x.h>) || __has_include(\"near/sub/x.h\")\n#define TIMES 2\n#else\n" +
		"#define TIMES 1\n#endif\nvoid lock(void);\nvoid unlock(void);\nvoid good(int n) { " +
		"for (int i = 0; i < TIMES; i++) lock(); unlock(); }\n",
	"c.c":       "void lock(void);\nvoid unlock(void);\nvoid good(int n) { lock(); unlock(); }\n",
	"lock.spec": unchangedSpec,
	"aut.spec": "import \"model.aut\"\nL = ( lock -> return {} -> STOP ).\n" +
		"U = ( unlock -> return {} -> STOP ).\nprocedure lock { abstract { L, 1, L }; }\n" +
		"procedure unlock { abstract { U, 1, U }; }\nprocedure good { abstract { Good, 1, model }; }\n",
	"d.c": "#include \"x.h\"\n#if __has_include(\"opt/y.h\")\n#include \"opt/y.h\"\n#endif\n" +
		"void lock(void);\nvoid unlock(void);\nvoid other(void) { lock(); unlock(); }\n" +
		"void some(int n) { for (int i = 0; i < TIMES; i++) lock(); unlock(); }\n" +
		"void all(int n) { if (n) some(n); else other(); }\n",
	"once.spec": "rule once {\n\tlock: call lock;\n\tunlock: call unlock;\n" +
		"\tFree = ( lock -> Held | unlock -> ERROR ), Held = ( lock -> ERROR | unlock -> Free ).\n\tbegin Free;\n}\n",
	"model.aut": "des (0, 3, 4)\n(0, \"lock\", 1)\n(1, \"unlock\", 2)\n(2, \"return {}\", 3)\n",
	"near/x.h":  "#define TIMES 1\n",
}

const unchangedSpec = "Lock = ( lock -> unlock -> Lock | return {} -> STOP ).\n" +
	"L = ( lock -> return {} -> STOP ).\nU = ( unlock -> return {} -> STOP ).\n" +
	"procedure lock { abstract { L, 1, L }; }\nprocedure unlock { abstract { U, 1, U }; }\n" +
	"procedure good { abstract { Good, 1, Lock }; }\n"

// results are what a suite comes to, without what differs from run to run.
func (m *meddler) results(args ...string) []suite.Result {
	w, _, stderr := testWorld(m.dir)
	w.Build = func() (string, error) { return "this one", nil }
	status := cli.Main(context.Background(), slices.Concat([]string{"suite", "--results", "../results.json"},
		args, []string{"s.toml"}), w)
	text, err := os.ReadFile(m.path("../results.json"))
	require.NoError(m.t, err, stderr)
	require.NoError(m.t, os.Remove(m.path("../results.json")))
	doc, err := suite.Read("results.json", text)
	require.NoError(m.t, err)
	require.NotEqual(m.t, 70, status, stderr)
	return doc.Results
}

// came is what came out of a claim.
func came(r suite.Result) string {
	return fmt.Sprintf("%s %s %s", r.Verdict, r.Failure, r.Mistake)
}

// output is what a command says on standard output without what a clock says, and its exit status.
func (m *meddler) output(args ...string) (out, stderr string, status int) {
	w, stdout, errs := testWorld(m.dir)
	w.Build = func() (string, error) { return "this one", nil }
	status = cli.Main(context.Background(), args, w)
	require.NotEqual(m.t, 70, status, errs)
	return ofClocks.ReplaceAllString(stdout.String(), ""), errs.String(), status
}

var (
	ofClocks  = regexp.MustCompile(`"\w*([sS]econds|Bytes)": [0-9.e+-]+`)
	takenOver = regexp.MustCompile(`(\d+) of \d+ results? taken over`)
)

// checks compares checks and checks of rules that take over what earlier ones have left with those that do not, and
// says how many results of rules were taken over.
func (m *meddler) checks(seed uint64) (taken int) {
	check := []string{"check", "-q", "-I", "near", "-I", "far", "a.c", "lock.spec"}
	_, said, fresh := m.output(check...)
	_, again, status := m.output(append(check, "--cache", "../predicates")...)
	require.Equal(m.t, fresh, status, "seed %d, a check behind %v: %s%s", seed, m.said, said, again)
	rules := []string{"rules", "check", "--verbose", "--json", "-I", "near", "-I", "far", "d.c", "once.spec"}
	want, said, fresh := m.output(rules...)
	got, again, status := m.output(append(rules, "--cache", "../rules")...)
	require.Equal(m.t, fresh, status, "seed %d, rules behind %v: %s%s", seed, m.said, said, again)
	require.Equal(m.t, want, got, "seed %d, rules behind %v", seed, m.said)
	if found := takenOver.FindStringSubmatch(again); found != nil {
		taken, _ = strconv.Atoi(found[1])
	}
	return taken
}

// TestNothingStale meddles with the files of a suite. What is taken over from a cache, and what is passed over since a
// revision, is what a fresh run says: of the files as they are, and as they were in the revision. The same holds of
// checks, and of checks of rules, that begin with what others have left.
func TestNothingStale(t *testing.T) {
	sample.Long(t)
	git, _ := exec.LookPath("git")
	steps, kept, over, taken := 0, 0, 0, 0
	for seed := range sample.Seeds(1, sample.Count(1)) {
		m := &meddler{t: t, rnd: rand.New(rand.NewPCG(seed, 7)), dir: filepath.Join(t.TempDir(), "project")}
		require.NoError(t, os.MkdirAll(m.path("../outside"), 0o777))
		for name, text := range unchangedProject {
			require.NoError(t, os.MkdirAll(filepath.Dir(m.path(name)), 0o777))
			require.NoError(t, os.WriteFile(m.path(name), []byte(text), 0o666))
		}
		r := &repository{meddler: m}
		if git != "" {
			r.begin()
		}
		for range 25 {
			steps++
			m.meddle()
			fresh := m.results()
			for i, c := range m.results("--cache", "../kept") {
				require.Equal(t, came(fresh[i]), came(c), "seed %d, claim %d, kept %v, behind %v", seed, i, c.Kept, m.said)
				if c.Kept {
					kept++
				}
			}
			taken += m.checks(seed)
			if git != "" {
				over += r.check(seed, fresh)
			}
		}
	}
	t.Logf("%d steps: %d claims kept, %d passed over, %d results of rules taken over", steps, kept, over, taken)
	if sample.Whole() {
		require.Greater(t, kept, steps/2, "the cache is used")
		require.Greater(t, taken, steps/4, "that of rules, too")
		require.True(t, git == "" || over > steps/4, "claims are passed over: %d", over)
	}
}

// A repository has the project of a meddler in git.
type repository struct {
	*meddler
	committed []string // what came out of each claim at the last commit
}

func (r *repository) git(args ...string) error {
	c := exec.Command("git", args...)
	c.Dir = r.dir
	c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org",
		"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org")
	return c.Run()
}

func (r *repository) begin() {
	require.NoError(r.t, r.git("init", "-q", "."))
	r.commit()
}

// commit makes a commit of everything that git takes, and leaves the folder as the commit has it.
func (r *repository) commit() {
	for _, name := range slices.Concat(meddledHeaders, meddledSources) {
		_ = r.git("update-index", "--no-assume-unchanged", "--no-skip-worktree", name)
	}
	_ = r.git("add", "-A", ".")
	require.NoError(r.t, r.git("commit", "-q", "--allow-empty", "-m", "next"))
	require.NoError(r.t, r.git("clean", "-ffdxq"))
	require.NoError(r.t, r.git("checkout", "-f", "HEAD", "--", "."))
	r.committed = nil
	for _, c := range r.results() {
		r.committed = append(r.committed, came(c))
	}
	r.said = append(r.said, "commit")
}

// check compares what is passed over, meddles with the repository, and says how much was passed over.
func (r *repository) check(seed uint64, fresh []suite.Result) (over int) {
	for i, c := range r.results("--changed-since", "HEAD") {
		if !c.PassedOver {
			require.Equal(r.t, came(fresh[i]), came(c))
			continue
		}
		over++
		require.Equal(r.t, r.committed[i], came(fresh[i]), "seed %d, claim %d is passed over behind %v", seed, i, r.said)
	}
	switch name := oneOf(r.rnd, slices.Concat(meddledHeaders, meddledSources)...); r.rnd.IntN(8) {
	case 0:
		r.commit()
	case 1:
		if r.git("update-index", "--assume-unchanged", name) == nil {
			r.said = append(r.said, "assumed "+name)
		}
	case 2:
		if r.git("update-index", "--skip-worktree", name) == nil {
			r.said = append(r.said, "skipped "+name)
		}
	case 3: // a repository within it
		folder := oneOf(r.rnd, meddledFolders...)
		if info, err := os.Stat(r.path(folder)); err == nil && info.IsDir() && r.git("init", "-q", folder) == nil {
			r.said = append(r.said, "repository "+folder)
		}
	case 4:
		_ = os.WriteFile(r.path(".gitignore"), []byte(oneOf(r.rnd, "x.h\n", "far\n", "")), 0o666)
		r.said = append(r.said, "ignored")
	}
	return over
}

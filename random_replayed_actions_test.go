package magus_test

// Differential: violations of random programs with threads and a specification, performed by the compiled program,
// which knows nothing of the automaton: its threads perform the actions of the run, in their order.

import (
	"bytes"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus"
	"magus/cfa/source"
	"magus/evidence/harness"
	"magus/evidence/witness"
	"magus/internal/sample"
	"magus/specs"
)

// actionsPrinted are the lines that a run prints of its actions.
func actionsPrinted(out string) (all []string) {
	for line := range strings.Lines(out) {
		if _, action, ok := strings.Cut(strings.TrimSuffix(line, "\n"), ": "); ok {
			all = append(all, action)
		}
	}
	return all
}

// executed compiles a program that replays a violation of threads, and gives its exit status and what it prints; soon
// is for a run that does not come to its end: it is given up after two seconds.
func executed(t *testing.T, in *witness.Inputs, units []source.Source, soon bool) (int, string) {
	t.Helper()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	text := harness.Write(in, units, harness.Settings{})
	if soon {
		const limit = "magus_seconds = 10"
		require.Contains(t, string(text), limit)
		text = bytes.ReplaceAll(text, []byte(limit), []byte("magus_seconds = 2"))
	}
	require.NoError(t, os.WriteFile(at("h.c"), text, 0o666))
	for _, args := range [][]string{{"-w", "-fsanitize=thread", "-c", "-o", at("h.o"), at("h.c")},
		{"-pthread", "-o", at("h"), at("h.o")}} {
		msg, err := exec.Command("gcc", args...).CombinedOutput()
		require.NoError(t, err, "%s", msg)
	}
	out, err := exec.Command(at("h")).Output()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	return exit.ExitCode(), string(out)
}

// inputsOf are what the compiled program is given to do a claim's violation; nil if there is none.
func inputsOf(t *testing.T, claim *magus.Claim) *witness.Inputs {
	t.Helper()
	session, err := magus.NewSession(t.Context(), claim, magus.Options{})
	require.NoError(t, err)
	defer session.Close()
	for session.Next() != magus.Finished {
		session.Step(t.Context())
	}
	return session.Inputs()
}

// TestThreadsPerformOtherActions: a program that does something else is noticed, and what has no call is refused.
func TestThreadsPerformOtherActions(t *testing.T) {
	sample.Long(t)
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skipf("no gcc: %v", err)
	}
	const head = "#include <pthread.h>\nvoid __MAGUS_ACTION__(const char *);\nvoid twice(void);\n"
	threads := func(f, end string) string {
		return head + "static void *f(void *p) { " + f + " return p; }\nint main(void) { pthread_t t; " +
			"pthread_create(&t, 0, f, 0); " +
			"__MAGUS_ACTION__(\"b\"); pthread_join(t, 0); " + end + " }\n"
	}
	const a = "__MAGUS_ACTION__(\"a\");"
	for _, c := range []struct {
		name, f, end, spec string
		instead            string // of f, when it is replayed
		status             int
		out                string
	}{
		{"in an order", a, "return 0;", "S = ( a -> b -> STOP ).", "", 1, "main: b\n"},
		{"another action", a, "return 0;", "S = ( b -> STOP | a -> STOP ).", "__MAGUS_ACTION__(\"b\");", 2, "performs b"},
		{"none", a, "return 0;", "S = ( b -> STOP | a -> STOP ).", "", 1, "performed\n"},
		{"it goes on for ever", a, "return 0;", "S = ( b -> STOP | a -> STOP ).", "for (;;) ;", 2, "not followed to its end"},
		{"two calls of a routine", "twice(); twice();", "return 0;",
			"S = ( a -> a -> a -> STOP ).\nT = ( a -> a -> return {} -> STOP ).\nprocedure twice { abstract { (1), T }; }",
			"", 1, ": a\n"},
		{"a return", a, "return 1;", "S = ( a -> b -> STOP | b -> a -> STOP ) + { return {$0 == 1} }.", "", 0,
			"no call by its name performs return"},
	} {
		t.Run(c.name, func(t *testing.T) {
			units := []source.Source{{Name: "a.c", Text: []byte(threads(c.f, c.end))}}
			project, err := magus.Load(t.Context(), magus.Input{C: units, Specs: []specs.Source{{Name: "a.spec",
				Text: []byte(c.spec + "\nprogram main { specification s, {(1)}, S; }\n")}}})
			require.NoError(t, err)
			claims, err := project.Claims(magus.Selection{})
			require.NoError(t, err)
			in := inputsOf(t, claims[len(claims)-1])
			require.NotNil(t, in)
			if c.status == 0 {
				require.Contains(t, in.Refused, c.out)
				return
			}
			require.Empty(t, in.Refused)
			if c.instead != "" {
				units[0].Text = []byte(threads(c.instead, c.end))
			}
			status, out := executed(t, in, units, c.instead == "for (;;) ;")
			require.Equal(t, c.status, status, out)
			require.Contains(t, out, c.out)
		})
	}
}

// TestRandomThreadActionsAreReplayed: the compiled program performs the violation, or it is said why none is written.
func TestRandomThreadActionsAreReplayed(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skipf("no gcc: %v", err)
	}
	rnd := rand.New(rand.NewSource(int64(sample.Seed(2))))
	performed, others, refused := 0, 0, map[string]int{}
	for n := range sample.Count(8) {
		actions := []string{"a", "b", "c"}[:1+rnd.Intn(3)]
		p := randomActing(rnd, []string{"a", "b", "c"})
		s := randomSpec(rnd, actions)
		p.text = strings.Replace(p.text, "static int x, y, z;", "static volatile int x, y, z;", 1)
		units := []source.Source{{Name: "a.c", Text: []byte(p.text)}}
		spec := actingSpec(s, actions)
		project, err := magus.Load(t.Context(),
			magus.Input{C: units, Specs: []specs.Source{{Name: "a.spec", Text: []byte(spec)}}})
		require.NoError(t, err)
		claims, err := project.Claims(magus.Selection{})
		require.NoError(t, err)
		in := inputsOf(t, claims[0])
		switch {
		case in == nil || in.Schedule == nil && in.Refused == "":
		case in.Refused != "":
			refused[in.Refused[strings.LastIndex(in.Refused, ":")+1:]]++
		default:
			status, out := executed(t, in, units, false)
			if status != 1 {
				t.Logf("program %d: exit status %d: %s\n%s%s", n, status, out, p.text, spec)
				others++
				continue
			}
			performed++
			want := 0
			for _, c := range in.Components {
				want += len(c.Trace)
			}
			require.Len(t, actionsPrinted(out), want, out)
		}
	}
	t.Log(fmt.Sprint(performed, " performed, ", others, " not, refused: ", refused))
	if !sample.Whole() {
		return
	}
	require.Greater(t, performed, 9*others)
}

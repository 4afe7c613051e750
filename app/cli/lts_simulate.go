package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"magus/internal/phrase"
	"magus/lts"
)

// ltsSimulateFlags are the flags of `magus lts simulate`.
type ltsSimulateFlags struct {
	ltsFlags
	do   string
	seed uint64
}

const simulateHelp = `N             take the transition with that number
ACTION        take the transition of that action, if there is only one
back [N]      take back the last transition, or the last N
random [N]    take a transition at random, or N of them
seed N        make later random choices depend on N
trace         show all transitions that were taken
restart       begin again at the initial state
help          show this
quit          end
`

// newLTSSimulate is the command `magus lts simulate`.
func newLTSSimulate(w *World, status *int) *cobra.Command {
	f := &ltsSimulateFlags{}
	c := f.ltsCommand(w, status, &cobra.Command{
		Use:   "simulate [flags] FILE...",
		Short: "Walk through an LTS, choosing one transition after the other",
		Long: `Simulate shows the state an LTS is in and the transitions that leave it, with
numbers, and reads what to do next: from a terminal, from a pipe, or from --do,
where semicolons stand between the commands. Of several LTSs the composition is
walked through.

` + simulateHelp + `
Exit status: 2 if a command that was not typed by a person could not be done.`,
		Example: "  magus lts simulate philosophers.lts:DINERS\n  magus lts simulate --do \"random 20; " +
			"trace\" --seed 7 client.aut server.aut",
	}, arguments(1, many), func(ctx context.Context, args []string) (int, error) { return f.run(ctx, w, args) })
	c.Flags().StringVar(&f.do, "do", "", "`COMMANDS` instead of those that are read")
	c.Flags().Uint64Var(&f.seed, "seed", 1, "the `NUMBER` that random choices depend on")
	f.registerBudgets(c, "the composition has more than N states")
	return c
}

func (f *ltsSimulateFlags) run(ctx context.Context, w *World, args []string) (int, error) {
	ms, err := f.change.load(ctx, w, args)
	if err != nil {
		return 0, err
	}
	m := ms[0]
	if len(ms) > 1 {
		if m, err = lts.Compose(ctx, ms, f.limits()); err != nil {
			return 0, tooLarge(err)
		}
	}
	s := &simulation{m: m, at: m.Init(), out: w.Stdout}
	s.seed(f.seed)
	s.show()
	typed, input := w.Interactive && f.do == "", io.Reader(w.Stdin)
	if f.do != "" {
		input = strings.NewReader(strings.ReplaceAll(f.do, ";", "\n"))
	}
	lines, status := bufio.NewScanner(input), 0
	for {
		if typed {
			fmt.Fprint(w.Stdout, "> ")
		}
		line, err := await(ctx, func() *string {
			if !lines.Scan() {
				return nil
			}
			text := strings.TrimSpace(lines.Text())
			return &text
		})
		if err != nil || line == nil {
			return status, err
		}
		if *line == "" || strings.HasPrefix(*line, "#") {
			continue
		}
		if !typed {
			fmt.Fprintln(w.Stdout, "> "+*line)
		}
		switch err := s.do(ctx, *line); {
		case err == io.EOF:
			return status, nil
		case err != nil && typed:
			fmt.Fprintln(w.Stdout, err)
		case err != nil:
			fmt.Fprintf(w.Stderr, "magus: %s: %v\n", *line, err)
			status = exitInput
		}
	}
}

// A simulation is a walk through an LTS.
type simulation struct {
	m    *lts.LTS
	path []lts.Edge
	at   lts.State
	rand *rand.Rand
	out  io.Writer
}

func (s *simulation) seed(n uint64) { s.rand = rand.New(rand.NewPCG(n, 0)) }

// do performs a command; io.EOF ends the walk.
func (s *simulation) do(ctx context.Context, line string) error {
	word, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	if n, err := strconv.Atoi(line); err == nil {
		return s.number(n)
	}
	switch word {
	case "back":
		return counted(rest, s.back)
	case "random":
		return counted(rest, func(n int) error { return s.random(ctx, n) })
	case "seed":
		n, err := strconv.ParseUint(rest, 10, 64)
		if err != nil {
			return errors.New("expected seed NUMBER")
		}
		s.seed(n)
		return nil
	}
	if rest != "" {
		return s.action(line)
	}
	switch word {
	case "trace":
		return writePath(s.out, s.m, s.m.Init(), s.path)
	case "restart":
		s.path, s.at = nil, s.m.Init()
		s.show()
		return nil
	case "help", "?":
		_, err := io.WriteString(s.out, simulateHelp)
		return err
	case "quit", "exit":
		return io.EOF
	}
	return s.action(line)
}

// counted calls f with a number, which is 1 if nothing is said.
func counted(text string, f func(int) error) error {
	n := 1
	if text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil || n < 1 {
			return fmt.Errorf("expected a number of steps, found %s", text)
		}
	}
	return f(n)
}

// number takes the transition with a number.
func (s *simulation) number(n int) error {
	out := s.m.Out(s.at)
	if n < 1 || n > len(out) {
		return fmt.Errorf("there is no transition %d; %s here", n, phrase.Plural(len(out), "transition"))
	}
	return s.take(out[n-1])
}

// action takes the transition of an action.
func (s *simulation) action(text string) error {
	labels, err := splitTrace(text)
	if err != nil || len(labels) != 1 {
		return fmt.Errorf("no command and no action: %s; help shows what there is", text)
	}
	var found []lts.Edge
	if a, known := s.m.Actions().Lookup(labels[0]); known {
		found = s.m.OutBy(s.at, a)
	}
	switch len(found) {
	case 0:
		return fmt.Errorf("no transition with %s leaves %s", quoteLabel(labels[0]), stateName(s.m, s.at))
	case 1:
		return s.take(found[0])
	}
	return fmt.Errorf("%d transitions have %s; give a number", len(found), quoteLabel(labels[0]))
}

// step goes along a transition and says so.
func (s *simulation) step(e lts.Edge) error {
	err := writePath(s.out, s.m, s.at, []lts.Edge{e})
	s.path, s.at = append(s.path, e), e.To
	return err
}

func (s *simulation) take(e lts.Edge) error {
	if err := s.step(e); err != nil {
		return err
	}
	s.show()
	return nil
}

func (s *simulation) back(n int) error {
	if n > len(s.path) {
		return fmt.Errorf("only %s taken", phrase.Plural(len(s.path), "transition"))
	}
	s.path = s.path[:len(s.path)-n]
	s.at = endOf(s.m, s.path)
	s.show()
	return nil
}

// random takes transitions at random, until there is none.
func (s *simulation) random(ctx context.Context, n int) error {
	for range n {
		out := s.m.Out(s.at)
		if len(out) == 0 {
			break
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := s.step(out[s.rand.IntN(len(out))]); err != nil {
			return err
		}
	}
	s.show()
	return nil
}

// show says where the walk is and what can be done.
func (s *simulation) show() {
	out := s.m.Out(s.at)
	fmt.Fprintf(s.out, "at %s", stateName(s.m, s.at))
	switch {
	case s.m.IsError(s.at):
		fmt.Fprint(s.out, ", an ERROR state")
	case len(out) == 0:
		fmt.Fprint(s.out, ", which nothing leaves")
	}
	fmt.Fprintln(s.out)
	width := 0
	for _, e := range out {
		width = max(width, len([]rune(quoteLabel(s.m.Actions().Name(e.Action)))))
	}
	for i, e := range out {
		fmt.Fprintf(s.out, "%4d  %-*s -> %s\n", i+1, width, quoteLabel(s.m.Actions().Name(e.Action)), stateName(s.m, e.To))
	}
}

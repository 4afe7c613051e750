package portfolio_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/engine/portfolio"
)

var errNone = errors.New("there is nothing left to do")

// A counter needs an effort, and then has an answer or gives up. It makes its effort in pieces.
type counter struct {
	name        string
	needs, made portfolio.Effort
	piece       portfolio.Effort
	answer      string // "" if it gives up
}

func (c *counter) Name() string { return c.name }

func (c *counter) Advance(ctx context.Context, share portfolio.Effort) portfolio.Event[string] {
	used := portfolio.Effort(0)
	for c.made < c.needs {
		if used >= share || ctx.Err() != nil {
			return portfolio.Worked[string]{Used: used, What: made(c.made)}
		}
		used, c.made = used+c.piece, c.made+c.piece
	}
	if c.answer == "" {
		return portfolio.GaveUp[string]{Used: used, Why: errNone}
	}
	return portfolio.Ended[string]{Used: used, Outcome: c.answer}
}

type made portfolio.Effort

func (m made) String() string { return fmt.Sprintf("made %d", int(m)) }

func count(name string, needs portfolio.Effort, answer string) *counter {
	return &counter{name: name, needs: needs, piece: 1, answer: answer}
}

// steps are the lines of a session's steps, to its end.
func steps(t *testing.T, s *portfolio.Session[string]) []string {
	var lines []string
	for range 100 {
		step := s.Step(t.Context())
		lines = append(lines, fmt.Sprintf("%d %v", step.Share, step))
		_, ended := step.Event.(portfolio.Ended[string])
		if ended || step.Method == s.Name() {
			return lines
		}
	}
	require.Fail(t, "the session has no end")
	return nil
}

var byHalf = portfolio.Rounds{First: 4, Times: 3, Per: 2}

func TestRoundsGrowAndWhoGaveUpIsLeftOut(t *testing.T) {
	s := portfolio.New("all", byHalf, count("a", 3, ""), count("b", 15, "yes"), count("c", 100, "no"))
	require.Equal(t, []string{
		"4 a gave up: there is nothing left to do",
		"4 b: made 4", "4 c: made 4",
		"6 b: made 10", "6 c: made 10",
		"9 b: yes",
	}, steps(t, s))
	require.Equal(t, []portfolio.Row{
		{Name: "a", Shares: 1, Granted: 4, Used: 3, State: portfolio.Failed, Why: errNone},
		{Name: "b", Shares: 3, Granted: 19, Used: 15, State: portfolio.Answered},
		{Name: "c", Shares: 2, Granted: 10, Used: 10, State: portfolio.Open},
	}, s.Rows())
	again := s.Step(t.Context())
	require.Equal(t, "b: yes", again.String())
	require.Zero(t, again.Event.Spent())
}

func TestAllGiveUp(t *testing.T) {
	s := portfolio.New("all", byHalf, count("a", 3, ""), count("b", 5, ""))
	all := steps(t, s)
	require.Equal(t, "0 all gave up: a gave up: there is nothing left to do; b gave up: there is nothing left to do",
		all[len(all)-1])
	end, ok := s.Step(t.Context()).Event.(portfolio.GaveUp[string])
	require.True(t, ok)
	require.ErrorIs(t, end.Why, errNone)
}

func TestEqualSessionsTakeEqualSteps(t *testing.T) {
	for _, rule := range []portfolio.Rule{byHalf, portfolio.Rounds{First: 3}} {
		with := func() *portfolio.Session[string] {
			return portfolio.New("all", rule, count("a", 60, ""), count("b", 30, "yes"), count("c", 90, "no"))
		}
		require.Equal(t, steps(t, with()), steps(t, with()))
	}
}

// An interrupt is no reason to give up, and the session goes on as if there had been none.
func TestInterruptedMethodsGoOn(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	impatient := &quitter{}
	s := portfolio.New[string]("all", byHalf, impatient)
	_, worked := s.Step(ended).Event.(portfolio.Worked[string])
	require.True(t, worked)
	require.Equal(t, portfolio.Open, s.Rows()[0].State)
	require.Equal(t, "quitter: yes", s.Step(t.Context()).String())
}

// A quitter gives up when it is interrupted.
type quitter struct{}

func (*quitter) Name() string { return "quitter" }

func (*quitter) Advance(ctx context.Context, _ portfolio.Effort) portfolio.Event[string] {
	if ctx.Err() != nil {
		return portfolio.GaveUp[string]{Why: context.Cause(ctx)}
	}
	return portfolio.Ended[string]{Used: 1, Outcome: "yes"}
}

func TestASessionIsAMethod(t *testing.T) {
	inner := portfolio.New("inner", byHalf, count("a", 8, ""), count("b", 20, "yes"))
	outer := portfolio.New("outer", byHalf, inner, count("c", 7, ""))
	lines := steps(t, outer)
	require.Contains(t, lines[len(lines)-1], "inner: yes")
	row := outer.Rows()[0]
	var within portfolio.Effort
	for _, r := range inner.Rows() {
		within += r.Used
	}
	require.Equal(t, within, row.Used)
	require.Equal(t, portfolio.Answered, row.State)
}

func TestGive(t *testing.T) {
	s := portfolio.New("all", byHalf, count("a", 10, "yes"), count("b", 3, ""))
	require.Equal(t, "b gave up: there is nothing left to do", s.Give(t.Context(), 1, 7).String())
	require.Equal(t, "b gave up: there is nothing left to do", s.Give(t.Context(), 1, 7).String())
	require.Equal(t, 1, s.Rows()[1].Shares)
	require.Equal(t, "had no share", s.Rows()[0].Result())
	require.Equal(t, "a: yes", s.Give(t.Context(), 0, 10).String())
	require.Equal(t, "answered", s.Rows()[0].Result())
}

// nobody has no share for anybody.
type nobody struct{}

func (nobody) Next([]portfolio.Row) (int, portfolio.Effort, bool) { return 0, 0, false }

func TestNobodyIsDue(t *testing.T) {
	s := portfolio.New[string]("all", nobody{}, count("a", 10, "yes"))
	require.Equal(t, "all: no method is due", s.Step(t.Context()).String())
	require.Zero(t, s.Advance(t.Context(), 5).Spent())
}

// A stepper is a counter that pauses after each piece, and can be put back.
type stepper struct{ counter }

func (s *stepper) Advance(ctx context.Context, share portfolio.Effort) portfolio.Event[string] {
	e := s.counter.Advance(ctx, min(share, s.piece))
	if w, ok := e.(portfolio.Worked[string]); ok && w.Used < share {
		return portfolio.Paused[string](w)
	}
	return e
}

// Rewind implements [portfolio.Rewinder].
func (s *stepper) Rewind(granted portfolio.Effort) { s.made = granted }

func step(name string, needs portfolio.Effort, answer string) *stepper {
	return &stepper{*count(name, needs, answer)}
}

func TestAShareGoesOnAfterAPause(t *testing.T) {
	s := portfolio.New("all", byHalf, step("a", 7, "yes"), count("b", 100, "no"))
	require.Equal(t, []string{
		"4 a: made 1", "4 a: made 2", "4 a: made 3", "4 a: made 4", "4 b: made 4",
		"6 a: made 5", "6 a: made 6", "6 a: yes",
	}, steps(t, s))
	require.Equal(t, portfolio.Row{Name: "a", Shares: 2, Granted: 10, Used: 7, State: portfolio.Answered}, s.Rows()[0])
}

// A session that is put back to any of its steps takes the same ones again.
func TestASessionThatIsPutBackTakesTheSameSteps(t *testing.T) {
	s := portfolio.New("all", byHalf, step("a", 11, "yes"), step("b", 5, ""))
	var marks []portfolio.Mark[string]
	var lines []string
	for range 22 {
		marks = append(marks, s.Mark())
		lines = append(lines, s.Step(t.Context()).String())
	}
	rows := s.Rows()
	require.Contains(t, lines, "b gave up: there is nothing left to do")
	for from, mark := range marks {
		s.Return(mark)
		for i := from; i < len(lines); i++ {
			require.Equal(t, lines[i], s.Step(t.Context()).String(), "step %d from %d", i, from)
		}
		require.Equal(t, rows, s.Rows())
	}
}

func TestABegunShareComesBeforeTheRule(t *testing.T) {
	s := portfolio.New("all", byHalf, step("a", 50, "yes"), step("b", 2, ""))
	require.Equal(t, "a: made 1", s.Step(t.Context()).String())
	s.Begin(0, 2) // of the share in progress, so much is left
	require.Equal(t, "a: made 2", s.Step(t.Context()).String())
	require.Equal(t, "a: made 3", s.Step(t.Context()).String())
	require.Equal(t, portfolio.Row{Name: "a", Shares: 1, Granted: 3, Used: 3, State: portfolio.Open}, s.Rows()[0])
	require.Equal(t, "b: made 1", s.Step(t.Context()).String())
	require.Equal(t, "b gave up: there is nothing left to do", s.Step(t.Context()).String())
	s.Begin(1, 2)
	require.Equal(t, portfolio.Open, s.Rows()[1].State)
	require.Equal(t, "b gave up: there is nothing left to do", s.Step(t.Context()).String(), "it tries once more")
	s.Replace(1, step("b", 3, "no"))
	require.Equal(t, portfolio.Row{Name: "b", Shares: 2, Used: 2, State: portfolio.Open}, s.Rows()[1])
	require.Equal(t, "a: made 4", s.Step(t.Context()).String())
}

package repl

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"magus"
	"magus/app/report/junit"
	"magus/engine/cegar"
	"magus/evidence/verdict"
	"magus/internal/phrase"
	"magus/lts"
)

// scriptCommands are the commands for scripts.
func scriptCommands() []*Command {
	return []*Command{
		{Name: "expect", Group: groupScript, Args: "CONDITION", Short: "Note a failure, unless a condition holds",
			Long:    conditionHelp,
			Example: "expect violates\nexpect trace lock return{$0 == 0}\nexpect states ma client <= 40",
			raw:     true, kinds: []kind{kindCondition}, run: expect},
		{Name: "let", Group: groupScript, Args: "[NAME [WORD...]]",
			Short: "Give a variable a value; $NAME or ${NAME} stands for it",
			Long: "Without words the variable is gone; without a name all are listed. $ before\n" +
				"anything but a letter is itself, and so is everything in single quotes. Outside\n" +
				"of quotes, a value of several words is as many words. claims are the numbers of\n" +
				"all claims, components the names of the present one's.",
			Example: "let files lock.c lock.spec\nload $files\nforeach n in $claims\n  claim $n\n  run\n  " +
				"expect conforms\nend", run: let},
		{Name: "echo", Group: groupScript, Args: "[WORD...]", Short: "Print words", run: echoWords},
		{Name: "include", Aliases: []string{"source"}, Group: groupScript, Args: "FILE",
			Short: "Execute the script in a file", kinds: []kind{kindFile}, run: include},
	}
}

const conditionHelp = `A failure is printed with its place, and with the run that violates if a
verdict or a trace was expected; the exit status at the end is 1. Where nothing
is loaded, all but comparisons fail. CONDITION is one of

  conforms, violates, unknown       the verdict
  ended                             there is a verdict
  trace ACTION...                   the counterexample, as the specification
                                    observes it
  reason TEXT                       why the verdict is unknown, or part of it
  states mp|ma C OP N               states of MP or blocks of MA
  states product OP N               product states of the last check
  predicates C OP N                 predicates chosen
  iterations OP N                   iterations so far
  phase PHASE                       the next phase
  WORD OP WORD                      a comparison, of numbers if both are
  not CONDITION

and OP one of == != < <= > >=.`

// An Expectation is one that was met or not.
type Expectation struct {
	File    string
	Line    int
	Text    string
	Failure string  // what was got; "" if it was met
	Detail  string  // the run, if there is one that shows it
	Seconds float64 // since the one before, or the beginning
}

// expectations are what scripts expect, and what came of it.
type expectations struct {
	*console
	*loaded
	views        *views
	results      []Expectation  // of scripts
	explained    *magus.Outcome // the last one shown with an expectation that was not met
	lastExpected float64        // when the last expectation was noted
}

// A Suite is what the expectations of one script came to.
type Suite struct {
	Script  string
	Results []Expectation
	Error   string // why the script could not be executed to its end
	// File and Line are where the script, or one that it includes, could not be executed.
	File    string
	Line    int
	Seconds float64
}

// Failures counts the expectations that were not met.
func (s *Suite) Failures() (n int) {
	for _, e := range s.Results {
		if e.Failure != "" {
			n++
		}
	}
	return n
}

// JUnit is the suite for runners of tests: a case for each expectation, named by
// its place and condition, and one for the script if it was not executed to its
// end.
func (s *Suite) JUnit() junit.Suite {
	j := junit.Suite{Name: s.Script, Seconds: s.Seconds}
	for _, e := range s.Results {
		j.Cases = append(j.Cases, junit.Case{Name: fmt.Sprintf("line %d: %s", e.Line, e.Text), Class: e.File,
			Seconds: e.Seconds, Failure: e.Failure, Detail: e.Detail})
	}
	if s.Error != "" {
		j.Cases = append(j.Cases, junit.Case{Name: "the script", Class: s.Script, Error: s.Error})
	}
	return j
}

// expect is the command expect. Where nothing is loaded there is nothing to expect, which is a failure.
func expect(_ context.Context, c *call) error {
	if len(c.args) == 0 {
		return c.usage()
	}
	holds, got, err := c.expectations.condition(c.args)
	if errors.Is(err, errNothing) {
		holds, got, err = false, "nothing, for no files are loaded", nil
	}
	if err != nil {
		return err
	}
	now := c.host.Seconds()
	e := Expectation{File: c.node.pos.file, Line: c.node.pos.line, Text: strings.Join(c.args, " "),
		Seconds: now - c.expectations.lastExpected}
	c.expectations.lastExpected = now
	if !holds {
		e.Failure = fmt.Sprintf("expected %s, got %s", e.Text, got)
		e.Detail = c.expectations.violation(c.args)
		place := ""
		if c.node.pos.file != "" {
			place = fmt.Sprintf("%v: ", c.node.pos)
		}
		fmt.Fprintf(c.host.Err, "%s%s\n%s", place, e.Failure, e.Detail)
	}
	c.expectations.results = append(c.expectations.results, e)
	return nil
}

// violation is the run that violates, if a condition asks for a verdict or a trace and it was not shown
// before.
func (sh *expectations) violation(args []string) string {
	asks := slices.ContainsFunc(args[:min(len(args), 2)], func(a string) bool {
		return slices.Contains([]string{"conforms", "unknown", "trace"}, a)
	})
	v, err := sh.view()
	if err != nil || !asks || v.Outcome == nil || v.Outcome.Verdict != magus.Violates || sh.explained == v.Outcome {
		return ""
	}
	sh.explained = v.Outcome
	var b strings.Builder
	before := sh.out
	sh.out = &b
	defer func() { sh.out = before }()
	if err := sh.views.printOutcome(v.Outcome, false); err != nil {
		return ""
	}
	return b.String()
}

// condition decides a condition and says what there is instead.
func (sh *expectations) condition(args []string) (holds bool, got string, err error) {
	if len(args) == 0 {
		return false, "", errors.New("a condition is missing")
	}
	if args[0] == "not" {
		holds, got, err = sh.condition(args[1:])
		return !holds, got, err
	}
	if len(args) == 3 && slices.Contains(operators(), args[1]) && args[0] != "iterations" {
		return compare(args[0], args[1], args[2])
	}
	test, known := conditions()[args[0]]
	if !known {
		return false, "", fmt.Errorf("no condition %s%s", args[0], phrase.Suggest(args[0], conditionNames()))
	}
	v, err := sh.view()
	if err != nil {
		return false, "", err
	}
	return test(sh.loaded, v, args)
}

type test func(in *loaded, v cegar.View, args []string) (bool, string, error)

// conditions are the tests, by the word that a condition begins with.
func conditions() map[string]test {
	return map[string]test{"conforms": verdictTest, "violates": verdictTest, "unknown": verdictTest, "ended": verdictTest,
		"trace": traceTest, "reason": reasonTest, "states": statesTest, "predicates": predicatesTest,
		"iterations": iterationsTest, "phase": phaseTest}
}

// conditionNames are those words, and not.
func conditionNames() []string {
	return []string{"conforms", "ended", "iterations", "not", "phase", "predicates", "reason", "states",
		"trace", "unknown", "violates"}
}

// operators are those of comparisons.
func operators() []string { return []string{"==", "!=", "<", "<=", ">", ">="} }

// badCondition is the error of a condition that lacks something.
func badCondition(args []string) error {
	return fmt.Errorf("the condition %q is not complete; help expect lists conditions", strings.Join(args, " "))
}

// compare compares two words, as numbers if both are.
func compare(a, op, b string) (bool, string, error) {
	x, errX := strconv.Atoi(a)
	y, errY := strconv.Atoi(b)
	order := strings.Compare(a, b)
	if errX == nil && errY == nil {
		order = x - y
	}
	holds := map[string]bool{"==": order == 0, "!=": order != 0, "<": order < 0, "<=": order <= 0,
		">": order > 0, ">=": order >= 0}
	return holds[op], a, nil
}

// compareCount compares a number with what the arguments say, such as <= 40.
func compareCount(n int, args []string) (bool, string, error) {
	if len(args) != 2 || !slices.Contains(operators(), args[0]) {
		return false, "", errors.New("expected a comparison such as <= 40")
	}
	if _, err := strconv.Atoi(args[1]); err != nil {
		return false, "", fmt.Errorf("%s is no number", args[1])
	}
	return compare(strconv.Itoa(n), args[0], args[1])
}

// verdictTest compares the verdict.
func verdictTest(_ *loaded, v cegar.View, args []string) (bool, string, error) {
	if len(args) != 1 {
		return false, "", badCondition(args)
	}
	if v.Outcome == nil {
		return false, fmt.Sprintf("no verdict yet, the next phase is %v", v.Phase), nil
	}
	got := v.Outcome.Verdict.String()
	if v.Outcome.Verdict == magus.Unknown {
		got += " (" + v.Outcome.Reason.String() + ")"
	}
	return args[0] == "ended" || v.Outcome.Verdict.String() == args[0], got, nil
}

// traceTest compares the trace of the counterexample, as far as it is observed.
func traceTest(_ *loaded, v cegar.View, args []string) (bool, string, error) {
	got := v.Actions.Names(lts.Project(v.Trace, v.Spec.Alphabet()))
	if v.Outcome != nil {
		got = nil
		if v.Outcome.Run != nil {
			got = v.Outcome.Run.Trace
		}
	}
	if v.Trace == nil || v.Status == cegar.Past || v.Outcome != nil && v.Outcome.Run == nil {
		return false, "no counterexample", nil
	}
	return slices.Equal(got, args[1:]), strings.Join(quoted(got), " "), nil
}

// reasonTest looks for a text in the reason of an unknown verdict.
func reasonTest(_ *loaded, v cegar.View, args []string) (bool, string, error) {
	if v.Outcome == nil || v.Outcome.Reason.Kind == verdict.None {
		return false, "no reason", nil
	}
	reason := v.Outcome.Reason.String()
	return strings.Contains(reason, strings.Join(args[1:], " ")), reason, nil
}

// statesTest compares a number of states.
func statesTest(in *loaded, v cegar.View, args []string) (bool, string, error) {
	if len(args) == 4 && args[1] == "product" {
		return compareCount(v.Stats.ProductStates, args[2:])
	}
	if len(args) != 5 {
		return false, "", badCondition(args)
	}
	i, err := in.componentNamed(args[2])
	if err != nil {
		return false, "", err
	}
	comp := v.Components[i]
	switch strings.ToLower(args[1]) {
	case "mp":
		if err := in.needMP(comp); err != nil {
			return false, "", err
		}
		return compareCount(comp.MP.LTS.NumStates(), args[3:])
	case "ma":
		if err := in.needMA(comp); err != nil {
			return false, "", err
		}
		return compareCount(comp.MA.NumBlocks(), args[3:])
	}
	return false, "", badCondition(args)
}

// predicatesTest compares the number of predicates chosen for a component.
func predicatesTest(in *loaded, v cegar.View, args []string) (bool, string, error) {
	if len(args) != 4 {
		return false, "", badCondition(args)
	}
	i, err := in.componentNamed(args[1])
	if err != nil {
		return false, "", err
	}
	return compareCount(len(v.Components[i].Chosen), args[2:])
}

// iterationsTest compares the number of iterations.
func iterationsTest(_ *loaded, v cegar.View, args []string) (bool, string, error) {
	return compareCount(v.Stats.Iterations, args[1:])
}

// phaseTest compares the next phase.
func phaseTest(_ *loaded, v cegar.View, args []string) (bool, string, error) {
	name := strings.Join(args[1:], " ")
	if name == cegar.Finished.String() {
		return v.Phase == cegar.Finished, v.Phase.String(), nil
	}
	p, ok := phaseNames()[name]
	if !ok {
		return false, "", fmt.Errorf("no phase %q", name)
	}
	return v.Phase == p, v.Phase.String(), nil
}

// let is the command let.
func let(_ context.Context, c *call) error {
	if len(c.args) == 0 {
		c.none(len(c.reader.vars), "no variables")
		for _, name := range slices.Sorted(maps.Keys(c.reader.vars)) {
			c.printf("%s = %s\n", name, c.reader.vars[name])
		}
		return nil
	}
	name := c.args[0]
	if !isName(name) {
		return fmt.Errorf("let: %s is no name: letters, digits and _", name)
	}
	if len(c.args) == 1 {
		delete(c.reader.vars, name)
		return nil
	}
	c.reader.vars[name] = strings.Join(c.args[1:], " ")
	return nil
}

// echoWords is the command echo.
func echoWords(_ context.Context, c *call) error {
	c.printf("%s\n", strings.Join(c.args, " "))
	return nil
}

// include is the command include.
func include(ctx context.Context, c *call) error {
	if len(c.args) != 1 {
		return c.usage()
	}
	return c.reader.script(ctx, c.args[0])
}

package certificate

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/evidence/threadcert"
	"magus/lts"
	"magus/lts/cert"
	"magus/smt/expr"
)

// complete has every kind of record.
func complete() *Document {
	return &Document{Question: []Fact{{Name: "file a.c", Value: "sha256:12"}, {Name: "data model", Value: "LP64"}},
		Certificates: certificates()}
}

func certificates() []*Certificate {
	x := Term{Op: expr.Var, Type: expr.Int32, Name: "x"}
	return []*Certificate{
		{
			Claim: "program main, specification ok", Verdict: "conforms",
			Components: []Component{{
				Name: "main", Terms: []Term{x, {Op: expr.Const, Type: expr.Int32, Value: 4294967295},
					{Op: expr.Lt, Type: expr.Bool, Args: []int{0, 1}}}, Atoms: []int{2}, Blocks: 1,
				States: []State{
					{At: Node{Kind: Start}, Holds: "-", Block: 0, Edges: []Edge{{"", 1}}},
					{At: Node{Kind: Location, Loc: 3}, Holds: "1", Block: -1, Edges: []Edge{{`say "a"`, 2}}},
					{At: Node{Kind: Inside, Loc: 3, Choice: 1, State: 2}, Holds: "0", Block: 0, Edges: []Edge{{"", 3}}},
					{At: Node{Kind: End}, Holds: "-", Block: -1},
				},
			}},
			Containment: &cert.Certificate{Observed: []string{"a"}, Impl: []cert.Size{{States: 1, Edges: 1}},
				Spec: cert.Size{States: 1, Edges: 1}, Holds: true,
				Pairs: []lts.Pair{{Impl: []lts.State{0}, Spec: []lts.State{0}}}},
		},
		{
			Claim: "c", Verdict: "violates", Trace: []string{"a"},
			Runs: []Run{{Name: "main", Init: []Value{{"x", 5}}, Moves: []Move{{To: Node{Kind: Location, Loc: 0}},
				{To: Node{Kind: Location, Loc: 0}, Times: 9,
					Round: []Move{{To: Node{Kind: Location, Loc: 1}, Set: []Value{{"x", 7}}}, {To: Node{Kind: Location, Loc: 0}}}},
				{To: Node{Kind: End}, Action: "a", Set: []Value{{"x", 18446744073709551615}}}}}},
		},
		{Claim: "d", Verdict: "unknown"},
		{Claim: "e", Verdict: "conforms", Recursion: 1, Threads: &Threads{Copies: 3, Elements: 24, Proof: &threadcert.Proof{
			Loops: map[cfa.Loc]int{12: 4, 3: 2}, Count: true,
			Lemmas: []threadcert.Lemma{{{Kind: threadcert.Happens, A: 4}, {Kind: threadcert.Sees, A: 3, B: 7}},
				{{Kind: threadcert.Ordered, A: 2}}},
		}}},
		{Claim: "f", Verdict: "violates", Threads: &Threads{Copies: 3, By: []int{0, 1},
			Run: &Run{Name: "main", Moves: []Move{{To: Node{Kind: Location, Loc: 2}}, {To: Node{Kind: End}, Action: "error"}}}}},
	}
}

func TestWriteRead(t *testing.T) {
	var text, again bytes.Buffer
	require.NoError(t, Write(&text, complete()))
	back, err := Read(t.Context(), bytes.NewReader(text.Bytes()), "x.json")
	require.NoError(t, err)
	require.NoError(t, Write(&again, back))
	require.Equal(t, text.String(), again.String())
	require.Len(t, back.Certificates, 5)
	require.Equal(t, `say "a"`, back.Certificates[0].Components[0].States[1].Edges[0].Action)
	require.Equal(t, 10, back.Certificates[0].Components[0].States[0].line)
}

// Whatever line is missing, the document is refused with a line.
func TestReadTruncated(t *testing.T) {
	var text bytes.Buffer
	require.NoError(t, Write(&text, complete()))
	lines := strings.SplitAfter(text.String(), "\n")
	for n := range len(lines) - 1 {
		_, err := Read(t.Context(), strings.NewReader(strings.Join(lines[:n], "")), "x.json")
		var no *RefutedError
		require.ErrorAs(t, err, &no, n)
		require.Positive(t, no.Line)
	}
}

func TestReadErrors(t *testing.T) {
	for _, test := range []struct{ before, after, want string }{
		{"[\n", "{\n", "line 1: this is no certificate: expected [ on the first line"},
		{`"version":2`, `"version":1`, "line 2: this is no certificate of version 2"},
		{`"question":2`, `"question":-1`, "line 2: -1 facts"},
		{`"asked":"file a.c",`, ``, "line 3: expected a part of the question"},
		{`"verdict":"conforms"`, `"verdict":"maybe"`, `line 5: verdict "maybe" is none of conforms, violates, unknown`},
		{`"blocks":1`, `"blocks":9`, "line 6: 9 blocks of 4 states"},
		{`["var","i32","x"]`, `["var","i65","x"]`, "line 7: expected a term: an operator, a type, operands"},
		{`["const","i32","4294967295"]`, `["const","i32","4294967296"]`, "line 8: 4294967296 is no value of this type"},
		{`["<","bool",0,1]`, `["<","bool",0,1.5]`, "line 9: an operand is the number of a term"},
		{`"at":"start"`, `"at":"begin"`, `line 10: "begin" is no control point`},
		{`"at":"L3"`, `"at":"L03"`, `line 11: "L03" is no control point`},
		{`["",1]`, `["",1,2]`, "line 10: expected a state: a transition is an action and a state"},
		{`"holds":"-"`, `"holds":"-","more":1`, `line 10: expected a state: json: unknown field "more"`},
		{`{"end":true}`, `{"end":true},`, `expected {"end":true}, followed by a comma unless it is the last record`},
		{`"copies":3,"elements":24`, `"copies":-3`, "line 32: -3 copies"},
		{`"copies":3,"elements":24`, `"copies":3,"whole":"all"`, `line 32: "all" is no way to see threads as one automaton`},
		{`"L12":4`, `"L12":0`, "line 33: L12 is no loop that goes round 0 times"},
		{`["sees",3,7]`, `["sees",3]`,
			`line 34: expected a lemma: a fact is ["happens", 4], ["sees", 3, 7] or ["ordered", 0]`},
		{`["happens",4]`, `["knows",4]`, `line 34: expected a lemma: a fact is`},
		{`,"by":1}`, `}`, "line 39: it is said of no thread that it does this"},
		{`{"to":"L0"}`, `{"to":"L0","by":1}`, "a component has no thread 1"},
		{`"5"`, `"5x"`, `x: "5x" is no bit pattern`},
	} {
		t.Run(test.want, func(t *testing.T) {
			var text bytes.Buffer
			require.NoError(t, Write(&text, complete()))
			require.Contains(t, text.String(), test.before)
			_, err := Read(t.Context(), strings.NewReader(strings.Replace(text.String(), test.before, test.after, 1)), "x.json")
			require.ErrorContains(t, err, test.want)
		})
	}
}

// Terms that a certificate may not have are refused before they reach the pool,
// which takes only well-typed ones.
func TestIllTypedTerms(t *testing.T) {
	p := expr.NewPool()
	x, c := p.Var("x", expr.Int32), p.Var("c", expr.Uint8)
	for _, term := range []Term{
		{Op: expr.Add, Type: expr.Int32, Args: []int{0, 1}},
		{Op: expr.Not, Type: expr.Bool, Args: []int{0}},
		{Op: expr.Lt, Type: expr.Bool, Args: []int{2, 2}},
		{Op: expr.Land, Type: expr.Bool, Args: []int{2}},
		{Op: expr.Ite, Type: expr.Int32, Args: []int{0, 0, 0}},
		{Op: expr.Ite, Type: expr.Int32, Args: []int{2, 0, 1}},
		{Op: expr.Cast, Type: expr.Bool, Args: []int{0}},
		{Op: expr.Cast, Type: expr.Int32, Args: []int{2}},
		{Op: expr.Neg, Type: expr.Int32, Args: []int{0, 0}},
		{Op: expr.Eq, Type: expr.Bool, Args: []int{0, 3}},
		{Op: expr.Var, Type: expr.Uint8, Name: "x"},
		{Op: expr.Var, Type: expr.Int32, Name: "y"},
	} {
		_, err := term.build(p, map[string]*expr.Expr{"x": x}, []*expr.Expr{x, c, p.True()})
		require.Error(t, err, "%+v", term)
	}
}

// A document answers the question that it was written for and no other.
func TestAnswers(t *testing.T) {
	var text bytes.Buffer
	require.NoError(t, Write(&text, complete()))
	d, err := Read(t.Context(), &text, "x.json")
	require.NoError(t, err)
	file, model := Fact{Name: "file a.c", Value: "sha256:12"}, Fact{Name: "data model", Value: "LP64"}
	for _, test := range []struct {
		name     string
		question []Fact
		want     string
	}{
		{"the same", []Fact{file, model}, ""},
		{"in another order", []Fact{model, file}, ""},
		{"another file", []Fact{{Name: "file a.c", Value: "sha256:13"}, model},
			"line 3: it answers another question: file a.c was sha256:12, now it is sha256:13"},
		{"another setting", []Fact{file, {Name: "data model", Value: "ILP32"}},
			"line 4: it answers another question: data model was LP64, now it is ILP32"},
		{"a file less", []Fact{model},
			"line 3: it answers another question: file a.c was sha256:12, of which nothing is said now"},
		{"a file more", []Fact{file, model, {Name: "file b.h", Value: "sha256:9"}},
			"line 2: it answers another question: nothing was said of file b.h, now it is sha256:9"},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := d.Answers(test.question)
			if test.want == "" {
				require.NoError(t, err)
				return
			}
			require.EqualError(t, err, test.want)
		})
	}
}

// Whatever is read can be written and read again.
func FuzzRead(f *testing.F) {
	var text bytes.Buffer
	require.NoError(f, Write(&text, complete()))
	f.Add(text.String())
	f.Fuzz(func(t *testing.T, text string) {
		certs, err := Read(t.Context(), strings.NewReader(text), "x.json")
		if err != nil {
			return
		}
		var first, second bytes.Buffer
		require.NoError(t, Write(&first, certs))
		again, err := Read(t.Context(), bytes.NewReader(first.Bytes()), "x.json")
		require.NoError(t, err)
		require.NoError(t, Write(&second, again))
		require.Equal(t, first.String(), second.String())
	})
}

// Reading ends with its context, within a text of many lines too.
func TestReadIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("enough"))
	_, err := Read(ctx, strings.NewReader("[\n"), "x.json")
	require.EqualError(t, err, "x.json: enough")
	_, err = endingReader{ctx, strings.NewReader("text")}.Read(make([]byte, 4))
	require.EqualError(t, err, "enough")
}

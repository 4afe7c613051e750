package certificate

// The text of certificates of programs with threads.

import (
	"encoding/json"
	"errors"
	"slices"

	"magus/cfa"
	"magus/evidence/threadcert"
)

// record is what a claim says of threads; nil of those without.
func (t *Threads) record() *threadsRecord {
	if t == nil {
		return nil
	}
	return &threadsRecord{t.Copies, t.Elements, t.Whole, t.Ranges, t.Refuses}
}

// threads writes a proof or a run.
func (o *writer) threads(t *Threads) {
	if t.Proof != nil {
		n, loops := len(t.Proof.Lemmas), map[string]int{}
		for head, bound := range t.Proof.Loops {
			loops[Node{Kind: Location, Loc: int(head)}.String()] = bound
		}
		o.record(proofRecord{&n, loops, t.Proof.Count})
		for _, l := range t.Proof.Lemmas {
			facts := []factOfOrder{}
			for _, f := range l {
				facts = append(facts, factOfOrder(f))
			}
			o.record(facts)
		}
		return
	}
	o.record(runRecord{&t.Run.Name, values(t.Run.Init), len(t.Run.Moves)})
	for i := range t.Run.Moves {
		m := &t.Run.Moves[i]
		if m.Seen != "" {
			o.record(moveRecord{Seen: m.Seen, By: &t.By[i]})
			continue
		}
		o.record(moveOf(m, &t.By[i]))
	}
}

// A factOfOrder is ["happens", 4], ["sees", 3, 7] or ["ordered", 0].
type factOfOrder threadcert.Fact

// kindsOfFacts are the facts' names.
var kindsOfFacts = [...]string{threadcert.Happens: "happens", threadcert.Sees: "sees", threadcert.Ordered: "ordered"}

// MarshalJSON implements json.Marshaler.
func (f factOfOrder) MarshalJSON() ([]byte, error) {
	if f.Kind == threadcert.Sees {
		return json.Marshal([]any{kindsOfFacts[f.Kind], f.A, f.B})
	}
	return json.Marshal([]any{kindsOfFacts[f.Kind], f.A})
}

// UnmarshalJSON implements json.Unmarshaler.
func (f *factOfOrder) UnmarshalJSON(b []byte) error {
	var list []json.RawMessage
	if err := json.Unmarshal(b, &list); err != nil {
		return err
	}
	var name string
	if len(list) > 0 {
		_ = json.Unmarshal(list[0], &name) // what is no text is no kind
	}
	for kind, is := range kindsOfFacts {
		numbers := []*int{&f.A}
		if kind == int(threadcert.Sees) {
			numbers = append(numbers, &f.B)
		}
		if is != name || len(list) != 1+len(numbers) {
			continue
		}
		f.Kind = threadcert.FactKind(kind)
		for i, n := range numbers {
			if err := json.Unmarshal(list[1+i], n); err != nil {
				return err
			}
		}
		return nil
	}
	return errors.New(`a fact is ["happens", 4], ["sees", 3, 7] or ["ordered", 0]`)
}

// threads reads what a claim says of threads, and the proof or the run, unless there are components.
func (in *reader) threads(c *Certificate, r claimRecord) error {
	t := &Threads{Copies: r.Threads.Copies, Elements: r.Threads.Elements, Whole: r.Threads.Whole,
		Ranges: r.Threads.Ranges, Refuses: r.Threads.Refuses, line: in.line}
	c.Threads = t
	if err := errors.Join(in.count("copies", t.Copies), in.count("elements", t.Elements)); err != nil {
		return err
	}
	switch {
	case t.Whole == "" && len(t.Ranges) > 0:
		return in.wrong("ranges of arrays without an automaton in place of all threads")
	case slices.Contains([]string{Product, Modular, Moves, Locations, Standing}, t.Whole):
		return nil
	case t.Whole != "":
		return in.wrong("%q is no way to see threads as one automaton", t.Whole)
	case r.Verdict == "conforms":
		return in.proof(t)
	case r.Verdict == "violates":
		return in.threadRun(t)
	}
	return in.wrong("verdict %q is none of conforms, violates", r.Verdict)
}

func (in *reader) proof(t *Threads) error {
	var r proofRecord
	if err := in.record("a proof", &r); err != nil {
		return err
	}
	if r.Lemmas == nil {
		return in.wrong("expected a proof")
	}
	t.Proof, t.proof = &threadcert.Proof{Loops: map[cfa.Loc]int{}, Count: r.Count}, in.line
	for name, bound := range r.Loops { // each is looked at by itself
		n, err := in.node(name)
		if err != nil {
			return err
		}
		if n.Kind != Location || bound < 1 {
			return in.wrong("%s is no loop that goes round %d times", name, bound)
		}
		t.Proof.Loops[cfa.Loc(n.Loc)] = bound
	}
	if err := in.count("lemmas", *r.Lemmas); err != nil {
		return err
	}
	for range *r.Lemmas {
		var facts []factOfOrder
		if err := in.record("a lemma", &facts); err != nil {
			return err
		}
		l := threadcert.Lemma{}
		for _, f := range facts {
			l = append(l, threadcert.Fact(f))
		}
		t.Proof.Lemmas = append(t.Proof.Lemmas, l)
	}
	return nil
}

func (in *reader) threadRun(t *Threads) error {
	var r runRecord
	if err := in.record("a run", &r); err != nil {
		return err
	}
	if r.Run == nil {
		return in.wrong("expected a run")
	}
	t.Run = &Run{Name: *r.Run, line: in.line, initLine: in.line}
	var err error
	if t.Run.Init, err = in.values(r.Init); err != nil {
		return err
	}
	for range r.Moves {
		m, by, err := in.move()
		if err != nil {
			return err
		}
		if by == nil {
			return in.wrong("it is said of no thread that it does this")
		}
		if len(m.Round) > 0 {
			return in.wrong("rounds of a loop are no move of a thread")
		}
		t.Run.Moves, t.By = append(t.Run.Moves, m), append(t.By, *by)
	}
	return nil
}

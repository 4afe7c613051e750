package predabs

// Answers of the decision procedure, from one check to the next.
//
// Idea: what abstract post asks is which truth values of some conditions go together with others. That is
// a fact about terms, whatever program they come from. So answers are kept under a digest of the question, and a
// later check takes over those whose question is the same: where a statement and the predicates around it have not
// changed, nothing is asked. The order of conditions, which comes from the order in which predicates
// were found, is no part of a question.
//
// Cost: a digest for each term and question; memory and file hold at most mostRows rows.
//
// Deviation from what is kept within a session (post.go): digests, not numbers of edges and atoms, so that an answer
// survives when the program around it is changed.

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"slices"

	"magus/smt/expr"
)

// mostRows bounds the rows that are kept, over all answers.
const mostRows = 1 << 18

// Answers are rows by the digest of their question: bit i of a row is the value of condition i, in
// the order of the conditions' digests.
type Answers map[string][]uint64

// answers are those that an abstraction knows and uses.
type answers struct {
	earlier Answers // which other abstractions may read too
	used    Answers
	rows    int // of used
	digests map[*expr.Expr]digest
	asked   int // questions that earlier answers did not have
}

type digest [16]byte

// Recall has the abstraction take over answers of an earlier one, and keep those that it uses, for
// [Abstraction.Answers].
func (x *Abstraction) Recall(earlier Answers) {
	x.answers = &answers{earlier: earlier, used: Answers{}, digests: map[*expr.Expr]digest{}}
}

// Answers are those that the abstraction has used since [Abstraction.Recall]; nil without.
func (x *Abstraction) Answers() Answers {
	if x.answers == nil {
		return nil
	}
	return x.answers.used
}

// of is the digest of a term.
func (k *answers) of(e *expr.Expr) digest {
	if d, ok := k.digests[e]; ok {
		return d
	}
	t := e.Type()
	signed := byte(0)
	if t.Signed {
		signed = 1
	}
	text := append(make([]byte, 0, 64), byte(e.Op()), signed, t.Exp)
	text = binary.LittleEndian.AppendUint64(text, uint64(t.Width))
	text = binary.LittleEndian.AppendUint64(text, e.Value())
	text = binary.LittleEndian.AppendUint64(text, uint64(len(e.Name())))
	text = append(text, e.Name()...)
	for _, a := range e.Args() {
		d := k.of(a)
		text = append(text, d[:]...)
	}
	sum := sha256.Sum256(text)
	d := digest(sum[:16])
	k.digests[e] = d
	return d
}

// question is the digest of a question, and the order of its conditions there.
func (k *answers) question(terms, assumptions []*expr.Expr) (key string, order []int) {
	compare := func(a, b digest) int { return slices.Compare(a[:], b[:]) }
	about := make([]digest, len(terms))
	order = make([]int, len(terms))
	for i, t := range terms {
		about[i], order[i] = k.of(t), i
	}
	slices.SortFunc(order, func(i, j int) int { return compare(about[i], about[j]) })
	given := make([]digest, len(assumptions))
	for i, a := range assumptions {
		given[i] = k.of(a)
	}
	slices.SortFunc(given, compare)
	text := binary.LittleEndian.AppendUint64(nil, uint64(len(terms)))
	for _, i := range order {
		text = append(text, about[i][:]...)
	}
	for _, d := range given {
		text = append(text, d[:]...)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16]), order
}

// find is the answer of an earlier check, in the order of the question's terms.
func (k *answers) find(key string, order []int) (rows []uint64, ok bool) {
	kept, ok := k.earlier[key]
	if !ok {
		kept, ok = k.used[key]
	}
	if !ok {
		k.asked++
		return nil, false
	}
	rows = make([]uint64, len(kept))
	for r, row := range kept {
		for at, i := range order {
			rows[r] |= row >> at & 1 << i
		}
	}
	k.keep(key, kept)
	return rows, true
}

// add keeps an answer that was asked for.
func (k *answers) add(key string, order []int, rows []uint64) {
	kept := make([]uint64, len(rows))
	for r, row := range rows {
		for at, i := range order {
			kept[r] |= row >> i & 1 << at
		}
	}
	k.keep(key, kept)
}

func (k *answers) keep(key string, rows []uint64) {
	if _, there := k.used[key]; !there && k.rows+len(rows)+1 <= mostRows {
		k.used[key] = rows
		k.rows += len(rows) + 1
	}
}

package portfolio

import "cmp"

// A Rule says whose share is next, and how much it is.
//
// Its law: the answer is a function of the rows, so equal histories go on in equal ways. It chooses a method
// that is [Open], and a share above 0; ok is false where none is to have a share now.
type Rule interface {
	Next(rows []Row) (method int, share Effort, ok bool)
}

// Rounds gives all methods that go on a share in the order of the list, then again with larger shares: the
// shares of a round are those of the round before, times Times, divided by Per. Those of the first are First.
type Rounds struct {
	First      Effort
	Times, Per Effort
}

// Next implements [Rule].
func (r Rounds) Next(rows []Row) (int, Effort, bool) {
	at := least(rows, func(a, b Row) int { return cmp.Compare(a.Shares, b.Shares) })
	if at < 0 {
		return 0, 0, false
	}
	share := max(r.First, 1)
	for range rows[at].Shares {
		if share >= Unlimited {
			break
		}
		share = share * max(r.Times, 1) / max(r.Per, 1)
	}
	return at, max(share, 1), true
}

// least is the first of the least rows that are open, or -1.
func least(rows []Row, compare func(a, b Row) int) int {
	at := -1
	for i, r := range rows {
		if r.State == Open && (at < 0 || compare(r, rows[at]) < 0) {
			at = i
		}
	}
	return at
}

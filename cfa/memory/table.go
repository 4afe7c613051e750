package memory

// Loads from arrays that never change, at an index that is not constant.
//
// Idea: the elements are taken as runs of equal ones, or of ones that grow with
// their index. A load is then a term with one test for each run: the table of
// classes of the C library's characters has 20, its table of lower case 5.
//
// Cost: linear in the elements, once for each load; a table with more runs than
// maxRuns is any value.

import (
	"magus/smt/expr"
)

const (
	maxTable = 1 << 12 // elements
	maxRuns  = 64
)

// A tableRun is a run of elements up to end, exclusively: of a value, plus the index
// if it grows.
type tableRun struct {
	end   int64
	value uint64
	grows bool
}

// table is the value of an element of a summarised array that never changes, or nil.
func (r *resolution) table(h hit, from Ref) *expr.Expr {
	if !h.rest || !h.b.constant || !h.b.starts() || h.inside || h.stride < 8 || h.stride%8 != 0 ||
		h.count > maxTable || from.Extent.kind != kindInt {
		return nil
	}

	runs := r.runs(h, from.Scalar)
	if runs == nil {
		return nil
	}
	offset := r.pool.Sub(r.Term(from.Address), r.AddressIn(h.b, h.e.at/8))
	at := func(k int64) *expr.Expr { return r.pool.Int(r.pointer, k*h.stride/8) }
	t := from.Scalar.Type
	if t.IsFloat() {
		t = t.BitsType()
	}
	value := func(run tableRun) *expr.Expr {
		v := r.pool.Const(t, run.value)
		if run.grows {
			v = r.pool.Add(v, r.pool.Cast(t, r.pool.Div(offset, at(1))))
		}
		return v
	}
	term := value(runs[len(runs)-1])
	for i := len(runs) - 2; i >= 0; i-- {
		term = r.pool.Ite(r.pool.Lt(offset, at(runs[i].end)), value(runs[i]), term)
	}
	return term
}

// runs are the runs of the elements that a hit may mean; nil where there are too
// many, or where one has a value that is not modelled.
func (r *resolution) runs(h hit, t Scalar) []tableRun {
	var runs []tableRun
	var values []uint64
	for k := range h.count {
		in := r.initialOf(h.b, h.e.moved(k*h.stride), t).Value
		if in == nil || !in.IsConst() {
			return nil
		}
		values = append(values, in.Value())
	}
	mask := t.Type.Mask()
	for k := 0; k < len(values); {
		equal, growing := k+1, k+1
		for equal < len(values) && values[equal] == values[k] {
			equal++
		}
		for growing < len(values) && values[growing] == (values[growing-1]+1)&mask {
			growing++
		}
		run := tableRun{end: int64(equal), value: values[k]}
		if growing > equal {
			run = tableRun{end: int64(growing), value: (values[k] - uint64(k)) & mask, grows: true}
		}
		k = int(run.end)
		if runs = append(runs, run); len(runs) > maxRuns {
			return nil
		}
	}
	return runs
}

package certificate

import (
	"testing"

	"github.com/stretchr/testify/require"

	"magus/cfa"
	"magus/smt/expr"
)

// A term has the operands of its operator, and no others: one more, one less, or one of another type is refused.
func TestOperandsOfTerms(t *testing.T) {
	const (
		i = iota
		u
		b
		f
		d
		high
		low
		mode
	)
	pool := expr.NewPool()
	types := []expr.Type{expr.Int32, expr.Uint32, expr.Bool, expr.Float32, expr.Float64, expr.Uint16, expr.Uint64}
	var args []*expr.Expr
	for k, typ := range types {
		args = append(args, pool.Var(string(rune('a'+k)), typ))
	}
	args = append(args, pool.Const(expr.Mode, 0))
	for _, c := range []struct {
		op   expr.Op
		typ  expr.Type
		args []int
	}{
		{expr.Add, expr.Int32, []int{i, i}}, {expr.Sub, expr.Int32, []int{i, i}}, {expr.Mul, expr.Int32, []int{i, i}},
		{expr.Div, expr.Int32, []int{i, i}}, {expr.Rem, expr.Int32, []int{i, i}}, {expr.Neg, expr.Int32, []int{i}},
		{expr.And, expr.Uint32, []int{u, u}}, {expr.Or, expr.Uint32, []int{u, u}}, {expr.Xor, expr.Uint32, []int{u, u}},
		{expr.Shl, expr.Uint32, []int{u, u}}, {expr.Shr, expr.Uint32, []int{u, u}}, {expr.Compl, expr.Uint32, []int{u}},
		{expr.Lt, expr.Bool, []int{i, i}}, {expr.Eq, expr.Bool, []int{i, i}}, {expr.Not, expr.Bool, []int{b}},
		{expr.Land, expr.Bool, []int{b, b}}, {expr.Lor, expr.Bool, []int{b, b}}, {expr.Ite, expr.Int32, []int{b, i, i}},
		{expr.FAdd, expr.Float32, []int{mode, f, f}}, {expr.FMul, expr.Float32, []int{mode, f, f}},
		{expr.FDiv, expr.Float32, []int{mode, f, f}}, {expr.FFma, expr.Float32, []int{mode, f, f, f}},
		{expr.FSqrt, expr.Float64, []int{mode, d}}, {expr.FRem, expr.Float32, []int{f, f}},
		{expr.FMod, expr.Float32, []int{f, f}}, {expr.FRound, expr.Float32, []int{mode, f}},
		{expr.FNeg, expr.Float32, []int{f}}, {expr.FAbs, expr.Float32, []int{f}}, {expr.FEq, expr.Bool, []int{f, f}},
		{expr.FLt, expr.Bool, []int{f, f}}, {expr.FLe, expr.Bool, []int{f, f}}, {expr.FCast, expr.Float64, []int{mode, f}},
		{expr.FToInt, expr.Int32, []int{mode, f}}, {expr.IntToF, expr.Float32, []int{mode, i}},
		{expr.FBits, expr.Uint32, []int{f}}, {expr.FFrom, expr.Float32, []int{u}},
		{expr.XAdd, expr.Uint64, []int{mode, high, low, high, low}},
		{expr.XMul, expr.Uint16, []int{mode, high, low, high, low}},
		{expr.XDiv, expr.Uint64, []int{mode, high, low, high, low}}, {expr.XSqrt, expr.Uint64, []int{mode, high, low}},
		{expr.XFma, expr.Uint64, []int{mode, high, low, high, low, high, low}},
		{expr.XRound, expr.Uint16, []int{mode, high, low}}, {expr.XFrom, expr.Uint16, []int{f}},
		{expr.XFromInt, expr.Uint64, []int{i}}, {expr.XToF, expr.Float64, []int{mode, high, low}},
		{expr.XToInt, expr.Int32, []int{mode, high, low}}, {expr.XCast, expr.Int64, []int{mode, high, low}},
		{expr.XEq, expr.Bool, []int{high, low, high, low}}, {expr.XLt, expr.Bool, []int{high, low, high, low}},
		{expr.XLe, expr.Bool, []int{high, low, high, low}},
	} {
		is := func(operands ...int) error {
			var of []*expr.Expr
			for _, k := range operands {
				of = append(of, args[k])
			}
			return (&Term{Op: c.op, Type: c.typ}).wellTyped(of)
		}
		name := operators[c.op].name
		require.NoError(t, is(c.args...), name)
		if operators[c.op].arity > 0 {
			require.Error(t, is(append(c.args[:len(c.args):len(c.args)], c.args[0])...), "%s: one more", name)
			require.Error(t, is(c.args[1:]...), "%s: one less", name)
		}
		for k := range c.args {
			other := append([]int(nil), c.args...)
			other[k] = b
			if c.args[k] == b {
				other[k] = i
			}
			require.Error(t, is(other...), "%s: operand %d", name, k)
		}
	}
	// What is computed has the type that the operator gives.
	for _, c := range []struct {
		op   expr.Op
		typ  expr.Type
		args []*expr.Expr
	}{
		{expr.XFrom, expr.Int64, args[f : f+1]}, {expr.XFrom, expr.Uint16, args[i : i+1]},
		{expr.XFromInt, expr.Uint16, args[f : f+1]}, {expr.FFrom, expr.Float64, args[u : u+1]},
		{expr.Cast, expr.Float32, args[i : i+1]}, {expr.Cast, expr.Bool, args[i : i+1]},
	} {
		require.Error(t, (&Term{Op: c.op, Type: c.typ}).wellTyped(c.args), operators[c.op].name)
	}
}

// What a run reads in memory without variables is what it has stored there, as far as that is modelled.
func TestContentsOfMemory(t *testing.T) {
	pool := expr.NewPool()
	at := func(a uint64) *expr.Expr { return pool.Const(expr.Uint64, a) }
	area := []cfa.Area{{First: 100, Last: 199, Zero: true, Static: true}}
	where, length := pool.Var("where", expr.Uint64), pool.Var("length", expr.Uint64)
	access := func(kind cfa.AccessKind, addr *expr.Expr, size int64) *cfa.Access {
		return &cfa.Access{Kind: kind, Addr: addr, Size: size, Areas: area}
	}
	long := func(kind cfa.AccessKind, addr *expr.Expr) *cfa.Access {
		return &cfa.Access{Kind: kind, Addr: addr, Length: length, Areas: area}
	}
	type step struct {
		a       *cfa.Access
		value   uint64
		tainted bool
	}
	store := step{access(cfa.Write, at(100), 4), 7, false}
	for name, c := range map[string]struct {
		steps []step
		read  *cfa.Access
		value uint64
		known bool
	}{
		"what is stored":         {[]step{store}, access(cfa.Read, at(100), 4), 7, true},
		"another value":          {[]step{store}, access(cfa.Read, at(100), 4), 8, false},
		"what was stored before": {[]step{store, {store.a, 9, false}}, access(cfa.Read, at(100), 4), 7, false},
		"a tainted value":        {[]step{{store.a, 7, true}}, access(cfa.Read, at(100), 4), 7, false},
		"what it begins with":    {[]step{store}, access(cfa.Read, at(104), 4), 0, true},
		"nothing else":           {[]step{store}, access(cfa.Read, at(104), 4), 1, false},
		"where nobody knows":     {[]step{store}, access(cfa.Read, where, 4), 7, false},
		"filled": {[]step{{access(cfa.Fill, at(100), 8), 1, false}}, access(cfa.Read, at(104), 4), 1 + 1<<8 + 1<<16 + 1<<24,
			true},
		"filled beside":           {[]step{store, {access(cfa.Fill, at(104), 8), 1, false}}, reading(store.a), 7, true},
		"filled with who knows":   {[]step{store, {access(cfa.Fill, at(120), 8), 0, true}}, reading(store.a), 7, false},
		"filled as far as nobody": {[]step{store, {long(cfa.Fill, at(120)), 0, false}}, reading(store.a), 7, false},
		"stored who knows where":  {[]step{store, {access(cfa.Write, where, 4), 7, false}}, reading(store.a), 7, false},
		"forgotten":               {[]step{store, {access(cfa.Forget, at(100), 4), 0, false}}, reading(store.a), 7, false},
		"forgotten beside":        {[]step{store, {access(cfa.Forget, at(104), 4), 0, false}}, reading(store.a), 7, true},
		"all forgotten":           {[]step{store, {access(cfa.Forget, nil, 0), 0, false}}, reading(store.a), 7, false},
		"beyond":                  {nil, access(cfa.Read, at(200), 4), 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			x, b := &execution{values: map[*expr.Expr]uint64{where: 100, length: 4}}, newContents()
			tainted := func(v *expr.Expr) bool { return v == where || v == length }
			for _, s := range c.steps {
				b.apply(x.touch(s.a, tainted), s.value, s.tainted)
			}
			require.Equal(t, c.known, !b.apply(x.touch(c.read, tainted), c.value, false))
		})
	}
}

// reading is the read of what an access stores.
func reading(a *cfa.Access) *cfa.Access {
	read := *a
	read.Kind = cfa.Read
	return &read
}

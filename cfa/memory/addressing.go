package memory

import "magus/smt/expr"

// An addressing is what never changes while memory is modelled: how addresses and
// parts of values look as terms, and how much of memory is told apart. It knows no
// object but those that it is given, and nothing of the code.
type addressing struct {
	pool    *expr.Pool
	opt     Options
	pointer expr.Type // of addresses
}

func newAddressing(pool *expr.Pool, opt Options) *addressing {
	return &addressing{pool: pool, opt: opt, pointer: opt.Data.Pointer()}
}

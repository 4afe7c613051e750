package specs_test

import (
	"context"
	"fmt"

	"magus/lts"
	"magus/smt/expr"
	"magus/specs"
)

const run = `
Pump = ( lock -> Held ),
Held = ( fill -> Held | unlock -> return {$0 >= 0} -> STOP ).
Idle = ( return {$0 == -1} -> STOP ).
procedure run {
	abstract { run_ok,   ($1 > 0),  Pump };
	abstract { run_idle, ($1 <= 0), Idle };
}
`

func ExampleParse() {
	file, err := specs.Parse(context.Background(), []specs.Source{{Name: "run.spec", Text: []byte(run)}}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, a := range file.Procedure("run").Abstracts {
		fmt.Println(a.Name, "when", a.Guard, "behaves as", a.LTS)
	}
	m, err := file.LTS(context.Background(), "Pump", lts.NewActions())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(m)
	for _, a := range m.Alphabet() {
		if r, ok := file.ReturnOf(m.Actions().Name(a)); ok {
			fmt.Println(r.Pos, r.Cond)
		}
	}
	// Output:
	// run_ok when $1 > 0 behaves as Pump
	// run_idle when $1 <= 0 behaves as Idle
	// alphabet {fill, lock, return{$0 >= 0}, unlock}
	// init 0:Pump
	// 0:Pump -lock-> 1:Held
	// 1:Held -fill-> 1:Held
	// 1:Held -unlock-> 2
	// 2 -return{$0 >= 0}-> 3:STOP
	// run.spec:3:35 $0 >= 0
}

// locals is a scope of one variable and no arguments.
type locals struct{ x *expr.Expr }

func (s locals) Lookup(name string, _ specs.Pos) (*expr.Expr, error) {
	if name == "x" {
		return s.x, nil
	}
	return nil, fmt.Errorf("no variable %s", name)
}

func (s locals) Arg(i int) (*expr.Expr, error) { return nil, fmt.Errorf("no argument $%d", i) }

func ExampleCExpr_Cond() {
	p := expr.NewPool()
	scope := locals{p.Var("x", expr.Int32)}
	for _, text := range []string{"x + 1 <= 9U", "x < y"} {
		e, _ := specs.ParseExpr("query", text)
		fmt.Println(e.Cond(p, scope, 64))
	}
	// Output:
	// (unsigned int)(x + 1) < 10U <nil>
	// <nil> query:1:5: no variable y
	//   x < y
	//       ^
}

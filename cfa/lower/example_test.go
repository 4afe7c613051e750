package lower_test

import (
	"context"
	"fmt"

	"magus/cfa/lower"
	"magus/cfa/source"
	"magus/smt/expr"
)

// From C to an automaton: the call is inlined, the condition is a branch.
func Example() {
	text := `int f(int x) { return x + 1; }
int main(void)
{
	int y = 3;
	if (y > 2)
		y = f(y);
	return y;
}`
	ctx := context.Background()
	program, err := source.Parse(ctx, []source.Source{{Name: "a.c", Text: []byte(text)}}, source.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	auto, err := lower.Lower(ctx, program, "main", expr.NewPool(), lower.Options{InitGlobals: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(auto)
	// Output:
	// int main()
	//   int y
	//   int f::x in 1
	//   instance 1: f called from 0 at 6:7
	// 0: y = 3 -> 1  @4:6
	// 1: if (y < 3) -> 4 else 2  @5:6
	// 2: f::x = y -> 3  @6:7
	// 3: y = f::x + 1 -> 4  @1:16
	// 4: return y  @7:2
}

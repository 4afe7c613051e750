package source_test

import (
	"context"
	"fmt"

	"magus/cfa/source"
)

// Two units are linked by name.
func Example() {
	program, err := source.Parse(context.Background(), []source.Source{
		{Name: "a.c", Text: []byte("int f(void);\nint main(void) { return f(); }")},
		{Name: "b.c", Text: []byte("static int one = 1;\nint f(void) { return one; }")},
	}, source.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(program.Procedures())
	for _, v := range program.Variables() {
		fmt.Println(v.Pos, v.Name, v.Static)
	}
	_, err = source.Parse(context.Background(),
		[]source.Source{{Name: "c.c", Text: []byte("int f(void) { return x; }")}}, source.Options{})
	fmt.Println(err)
	// Output:
	// [main f]
	// b.c:1:12 one true
	// c.c:1:22: undefined: x
}

package report

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A row that gives a large array its values stays readable.
func TestValuesOfElements(t *testing.T) {
	var zeros, grid, pairs []Value
	for i := range 400 {
		zeros = append(zeros, Value{Name: fmt.Sprintf("q.element[%d]", i), Value: "0"})
	}
	for i := range 20 {
		grid = append(grid, Value{Name: fmt.Sprintf("m[%d][%d]", i/5, i%5), Value: "7", Before: "0"})
		pairs = append(pairs, Value{Name: fmt.Sprintf("s[%d].x", i), Value: fmt.Sprint(i)},
			Value{Name: fmt.Sprintf("s[%d].y", i), Value: "0"})
	}
	other := append([]Value{{Name: "n", Value: "1"}}, zeros...)
	other[3].Value = "5"
	for _, c := range []struct {
		name   string
		values []Value
		want   string
	}{
		{"one value", zeros, "q.element[0..399] = 0"},
		{"two dimensions", grid, "m[0..3][0..4]: 0 -> 7"},
		{"another between", other, "n = 1, q.element[0] = 0, q.element[1] = 0, q.element[2] = 5, q.element[3..399] = 0"},
		{"two are not folded", zeros[:2], "q.element[0] = 0, q.element[1] = 0"},
		{"not in order", []Value{zeros[2], zeros[1], zeros[0]}, "q.element[2] = 0, q.element[1] = 0, q.element[0] = 0"},
		{"an index that is no number", []Value{{Name: "a[i]", Value: "0"}, {Name: "a[", Value: "0"}}, "a[i] = 0, a[ = 0"},
		{"many", pairs, "s[0].x = 0, s[0].y = 0, s[1].x = 1, s[1].y = 0, s[2].x = 2, s[2].y = 0, s[3].x = 3, s[3].y = 0, " +
			"... (28 more) ..., s[18].x = 18, s[18].y = 0, s[19].x = 19, s[19].y = 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := row{values: c.values}
			assert.Equal(t, c.want, r.effects())
		})
	}
}

package report

// Idea: elements of an array that a row gives one value are one text, a[0..399] = 0; where a row still has many values,
// those in the middle are counted. All are in the JSON, and each in a row of its own in a verbose table.
// Source: none.
// Cost: the values, once for each dimension.

import (
	"fmt"
	"strconv"
	"strings"
)

const (
	leastFolded = 3  // elements
	mostValues  = 16 // of a row: all are shown
	firstValues = 8  // of a row with more
	lastValues  = 4
)

// fold makes one of consecutive values that are given to consecutive elements.
func fold(values []Value) []Value {
	for depth := 0; ; depth++ {
		next, some := foldAt(values, depth)
		if !some {
			return values
		}
		values = next
	}
}

// foldAt folds values by the index that stands before depth others in their names, if
// any name has one.
func foldAt(values []Value, depth int) (folded []Value, some bool) {
	for i := 0; i < len(values); {
		before, first, after, ok := indexAt(values[i].Name, depth)
		if !ok {
			folded = append(folded, values[i])
			i++
			continue
		}
		some = true
		n := 1
		for i+n < len(values) && sameAt(values[i], values[i+n], before+strconv.Itoa(first+n)+after) {
			n++
		}
		if n < leastFolded {
			folded = append(folded, values[i:i+n]...)
		} else {
			v := values[i]
			v.Name = fmt.Sprintf("%s%d..%d%s", before, first, first+n-1, after)
			folded = append(folded, v)
		}
		i += n
	}
	return folded, some
}

// sameAt reports whether w is the value of v for the variable of a name.
func sameAt(v, w Value, name string) bool {
	v.Name = name
	return v == w
}

// indexAt splits a name at the index that stands before depth others.
func indexAt(name string, depth int) (before string, index int, after string, ok bool) {
	end := len(name)
	for ; depth >= 0; depth-- {
		if end = strings.LastIndexByte(name[:end], '['); end < 0 {
			return "", 0, "", false
		}
	}
	digits, after, _ := strings.Cut(name[end+1:], "]")
	index, err := strconv.Atoi(digits)
	return name[:end+1], index, "]" + after, err == nil
}

// few are the texts, without those in the middle if they are many.
func few(texts []string) []string {
	if len(texts) <= mostValues {
		return texts
	}
	left := fmt.Sprintf("... (%d more) ...", len(texts)-firstValues-lastValues)
	return append(append(texts[:firstValues:firstValues], left), texts[len(texts)-lastValues:]...)
}

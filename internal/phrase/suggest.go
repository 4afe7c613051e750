package phrase

// What a mistyped name may have been: the names that it begins, or else those
// at the smallest edit distance (Damerau, "A technique for computer detection
// and correction of spelling errors", Communications of the ACM 7(3), 1964; here
// without edits that overlap). Cost: the product of the lengths for each name.

import "strings"

// maxSuggestions is how many names are suggested at most; more are no help.
const maxSuggestions = 6

// Suggest is "; did you mean a or b?" for a name that was perhaps mistyped, or
// nothing.
func Suggest(text string, names []string) string {
	near := Nearest(text, names)
	if len(near) == 0 || len(near) > maxSuggestions {
		return ""
	}
	return "; did you mean " + strings.Join(near, " or ") + "?"
}

// Instead is what Suggest says, or else which names there are: "; there are a, b".
func Instead(text string, names []string) string {
	switch hint := Suggest(text, names); {
	case hint != "":
		return hint
	case len(names) == 0:
		return "; there are none"
	case len(names) == 1:
		return "; there is " + names[0]
	}
	return "; there are " + Few(names, most)
}

// Choose is what Suggest says, or else which names an option can have.
func Choose(text string, names []string, option string) string {
	if hint := Suggest(text, names); hint != "" {
		return hint
	}
	return "; choose one with " + option + ": " + Few(names, most)
}

// most is how many names are listed at most.
const most = 24

// Misspelt is as Suggest, but a name that the text only begins is not one that may
// have been meant.
func Misspelt(text string, names []string) string {
	near := closest(text, names)
	if len(near) == 0 || len(near) > maxSuggestions {
		return ""
	}
	return "; did you mean " + strings.Join(near, " or ") + "?"
}

// Nearest are the names that may have been meant: those that the text begins, or
// else those that differ in few letters.
func Nearest(text string, names []string) []string {
	var near []string
	for _, name := range names {
		if text != "" && strings.HasPrefix(strings.ToLower(name), strings.ToLower(text)) {
			near = append(near, name)
		}
	}
	if near != nil {
		return near
	}
	return closest(text, names)
}

// closest are the names that differ in few letters, and in as few as any.
func closest(text string, names []string) []string {
	var near []string
	letters := len([]rune(text))
	best := 1 + letters/4
	if best >= letters {
		return nil // any name of one letter would do
	}
	for _, name := range names {
		switch d := distance(text, name); {
		case d < best:
			best, near = d, []string{name}
		case d == best:
			near = append(near, name)
		}
	}
	return near
}

// distance is the number of letters to insert, delete, replace or swap to get
// from a to b, whatever their case.
func distance(a, b string) int {
	x, y := []rune(strings.ToLower(a)), []rune(strings.ToLower(b))
	before, last, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i := range x {
		row[0] = i + 1
		for j := range y {
			d := last[j]
			if x[i] != y[j] {
				d++
			}
			row[j+1] = min(d, row[j]+1, last[j+1]+1)
			if i > 0 && j > 0 && x[i] == y[j-1] && x[i-1] == y[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(y)]
}

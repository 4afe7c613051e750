package specs

import "strings"

// What the formatter changes, line by line.
//
// Idea: the lines of both texts that are not empty belong to each other in their order, since the
// formatter parts and joins none of them. So no search for what they have in common is needed.
//
// Cost: linear.

// A Change replaces some lines of a text by some of another one. Lines count from 0.
type Change struct {
	From, To           int // of the text
	AfterFrom, AfterTo int // of the other one
}

// Lines are the lines of a text, with their ends.
func Lines(text string) []string {
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// Changes lead from the lines of a text to those of the formatted one.
func Changes(before, after []string) (all []Change) {
	change := func(i, j, n, m int) {
		if last := len(all) - 1; last >= 0 && all[last].To == i && all[last].AfterTo == j {
			all[last].To, all[last].AfterTo = i+n, j+m
			return
		}
		all = append(all, Change{i, i + n, j, j + m})
	}
	i, j := 0, 0
	for i < len(before) && j < len(after) {
		switch {
		case before[i] == after[j]:
			i, j = i+1, j+1
		case strings.TrimSpace(before[i]) == "" && strings.TrimSpace(after[j]) != "":
			change(i, j, 1, 0)
			i++
		default:
			change(i, j, 1, 1)
			i, j = i+1, j+1
		}
	}
	if i < len(before) || j < len(after) {
		change(i, j, len(before)-i, len(after)-j)
	}
	return all
}

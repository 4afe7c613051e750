package phrase

import (
	"fmt"
	"strings"
)

// Plural is "1 state" or "3 states".
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Few joins at most n texts, and says how many are left out.
func Few(texts []string, n int) string {
	if len(texts) > n {
		return strings.Join(texts[:n], ", ") + fmt.Sprintf(" and %d more", len(texts)-n)
	}
	return strings.Join(texts, ", ")
}

// Or joins at most n texts as alternatives, and says how many are left out.
func Or(texts []string, n int) string {
	if len(texts) > n+1 { // one more takes no more room than saying so
		return strings.Join(texts[:n], " or ") + fmt.Sprintf(" or one of %d more", len(texts)-n)
	}
	return strings.Join(texts, " or ")
}

// Clip shortens a text to n letters; n is more than 3.
func Clip(text string, n int) string {
	if r := []rune(text); len(r) > n {
		return string(r[:n-3]) + "..."
	}
	return text
}

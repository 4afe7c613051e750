package repl

// Lists that are longer than a screen: where a person reads along, a screen of lines is shown at once.

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"magus/internal/phrase"
)

// leastScreen is how many rows a screen is taken to have at least.
const leastScreen = 8

// height is how many rows the screen has; 0 where nobody reads along.
func (sh *console) height() int {
	if !sh.prompting || sh.host.Height == nil {
		return 0
	}
	return sh.host.Height()
}

// screenful runs f and prints no more of its output than fits on the screen; more shows the rest.
func (sh *console) screenful(f func() error) error {
	if sh.height() == 0 {
		return f()
	}
	var b bytes.Buffer
	before := sh.out
	sh.out, sh.paged = &b, true
	err := f()
	sh.out, sh.paged = before, false
	sh.unseen = nil
	for line := range strings.Lines(b.String()) {
		sh.unseen = append(sh.unseen, broken(line, sh.host.Text.Width))
	}
	sh.showUnseen()
	return err
}

// broken is a line of a list in lines of at most a width, if there is one: broken at blanks where it has some, with
// what goes on further in. Its columns stay as they are.
func broken(line string, width int) string {
	if width < leastWidth || utf8.RuneCountInString(line) <= width+1 {
		return line
	}
	letters := []rune(strings.TrimRight(line, "\n"))
	first := 0
	for first < len(letters) && letters[first] == ' ' {
		first++
	}
	indent := strings.Repeat(" ", min(first+4, width/2))
	var b strings.Builder
	for at := width; len(letters) > at; at = width - len(indent) {
		cut := at
		for cut > at/2 && letters[cut] != ' ' {
			cut--
		}
		if letters[cut] != ' ' {
			cut = at // one long word
		}
		b.WriteString(strings.TrimRight(string(letters[:cut]), " ") + "\n" + indent)
		letters = []rune(strings.TrimLeft(string(letters[cut:]), " "))
	}
	b.WriteString(string(letters) + "\n")
	return b.String()
}

// showUnseen prints as many lines as fit on a screen, and says how many are left.
func (sh *console) showUnseen() {
	rows := max(leastScreen, sh.height()) - 2 // the prompt, and what is said below
	n := 0
	for ; n < len(sh.unseen) && rows > 0; n++ {
		rows -= sh.rows(sh.unseen[n])
	}
	if n == len(sh.unseen)-1 {
		n++ // in the place of what would be said
	}
	sh.printf("%s", strings.Join(sh.unseen[:n], ""))
	if sh.unseen = sh.unseen[n:]; len(sh.unseen) > 0 {
		sh.printf("-- %s more: more, or an empty line, shows them\n", phrase.Plural(len(sh.unseen), "line"))
	}
}

// rows is how many rows of the screen a line takes.
func (sh *console) rows(line string) int {
	if sh.host.Text.Width <= 0 {
		return 1
	}
	n := 0
	for l := range strings.Lines(line) {
		n += max(1, (utf8.RuneCountInString(l)-2)/sh.host.Text.Width+1)
	}
	return n
}

// showMore is the command more.
func showMore(_ context.Context, c *call) error {
	if len(c.unseen) == 0 {
		return errors.New("there is no more to see of what was printed last")
	}
	c.showUnseen()
	return nil
}

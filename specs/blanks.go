package specs

import "strings"

// Blanks between a token and the one before it.

var brackets = map[string]string{"(": ")", "[": "]", "{": "}"}

func (p *piece) opens() bool { return !p.comment && !p.word && brackets[p.text] != "" }

func (p *piece) closes() bool { return p.opener >= 0 }

// wide reports whether there are blanks inside of a bracket.
func (p *piece) wide() bool { return p.mark&(wideMark|blockMark) != 0 }

// gap is how many blanks stand between piece i and the one before it, at least.
func gap(all []piece, i int) int {
	if i == 0 {
		return 0
	}
	a, b := &all[i-1], &all[i]
	switch {
	case a.comment:
		return b2i(!b.is(",") && !b.is(";"))
	case b.comment:
		return b2i(!a.opens() || a.wide())
	case glue(a, b):
		return 1
	}
	return b2i(apart(all, a, b))
}

func (p *piece) is(text string) bool { return !p.comment && !p.word && p.text == text }

// apart reports whether a blank stands between two tokens.
func apart(all []piece, a, b *piece) bool {
	switch {
	case b.mark&behindMark != 0 || a.mark&prefixMark != 0:
		return false
	case a.mark&operatorMark != 0:
		return b.word || b.is("{")
	case a.mark&binaryMark != 0 || b.mark&binaryMark != 0:
		return true
	case b.closes():
		return all[b.opener].wide() && a != &all[b.opener]
	case a.opens():
		return a.wide()
	case a.is("."):
		return a.mark&endMark != 0
	}
	return !b.is(",") && !b.is(";") && !b.is(":") && !b.is(".")
}

// glue reports whether two tokens would be read as another one without a blank.
func glue(a, b *piece) bool {
	if a.word || b.word {
		return false
	}
	for _, op := range operators {
		if len(op) > len(a.text) && strings.HasPrefix(a.text+b.text, op) {
			return true
		}
	}
	return a.text == "/" && (b.text[0] == '/' || b.text[0] == '*')
}

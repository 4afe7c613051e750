package specs

// How tokens stand beside each other: what the parser, which alone knows what a token means in its
// place, notes of them for the formatter (tidy.go).

// A mark says how a token stands beside its neighbours.
type mark uint16

const (
	behindMark   mark = 1 << iota // no blank before it
	prefixMark                    // no blank behind it
	binaryMark                    // blanks around it, where it usually has none
	wideMark                      // a bracket with blanks inside
	blockMark                     // the brace of a block of statements
	startMark                     // an item, a definition or a statement begins with it
	bodyMark                      // what a name is defined as begins with it
	endMark                       // a full stop
	operatorMark                  // [] or <>: no blank behind it before brackets and operators
)

// mark notes how the next token stands.
func (p *reader) mark(m mark) {
	if p.layout != nil {
		p.layout[p.at] |= m
	}
}

func (p *reader) markIf(yes bool, m mark) {
	if yes {
		p.mark(m)
	}
}

// markBefore notes how the last token stands.
func (p *reader) markBefore(m mark) {
	if p.layout != nil {
		p.layout[p.at-1] |= m
	}
}

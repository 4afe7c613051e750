package cert

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"magus/lts"
)

// Read reads the text form of a certificate; file is the name that errors begin with. The error is a
// *lts.SyntaxError, or what r returned with the file's name. That the counts, states and labels fit the
// LTSs is for [Certificate.Check] to say.
func Read(r io.Reader, file string) (*Certificate, error) {
	p := &reader{in: bufio.NewScanner(r), file: file}
	p.in.Buffer(make([]byte, 64<<10), maxLine)
	c := p.certificate()
	if p.err != nil {
		return nil, p.err
	}
	return c, nil
}

// maxLine bounds the length of a line, in bytes; a set of specification states is one line.
const maxLine = 1 << 28

// maxReserved bounds what a count makes the reader reserve, so that a short file cannot ask for much
// memory.
const maxReserved = 1 << 12

// reader reads line by line. After the first error it does nothing more.
type reader struct {
	in     *bufio.Scanner
	file   string
	number int
	line   string
	err    error
}

func (p *reader) certificate() *Certificate {
	c := &Certificate{}
	if v := p.keyword(magic); p.err == nil && v != strconv.Itoa(version) {
		p.fail("certificate of version %q, expected %d", v, version)
	}
	switch what := p.keyword("claim"); what {
	case claimWeak:
	case claimStrong:
		c.Strong = true
	default:
		p.fail("a claim of %q, expected %s or %s", what, claimWeak, claimStrong)
	}
	c.Impl = append(c.Impl, p.size(p.keyword("impl")))
	c.at.impl = p.number
	p.next()
	for p.err == nil && strings.HasPrefix(p.line, "impl ") {
		c.Impl = append(c.Impl, p.size(p.rest("impl")))
		p.next()
	}
	c.Spec = p.size(p.rest("spec"))
	c.at.spec, c.at.observed = p.number, p.number+1
	c.Observed = p.labels("observed")
	switch verdict := p.keyword("verdict"); verdict {
	case "holds":
		c.Holds = true
		p.next()
		c.Simulations.Spec, c.at.simulations[0] = p.simulations("spec")
		c.Simulations.Impl, c.at.simulations[1] = p.simulations("impl")
		c.Simulations.Cross, c.at.simulations[2] = p.simulations("cross")
		c.at.pairs = p.number
		c.Pairs = p.pairs(len(c.Impl))
	case "fails":
		c.at.trace = p.number + 1
		c.Trace = p.labels("trace")
	default:
		p.fail("verdict %q, expected holds or fails", verdict)
	}
	p.end()
	return c
}

// next reads the next line.
func (p *reader) next() {
	if p.err != nil {
		return
	}
	p.number++
	switch {
	case p.in.Scan():
		p.line = strings.TrimRight(p.in.Text(), " \t\r")
	case errors.Is(p.in.Err(), bufio.ErrTooLong):
		p.fail("line longer than %d bytes", maxLine)
	case p.in.Err() != nil:
		p.err = fmt.Errorf("%s: %w", p.file, p.in.Err())
	default:
		p.fail("the certificate ends here, it is not complete")
	}
}

// end reads the last line, and that nothing follows.
func (p *reader) end() {
	p.next()
	if p.err == nil && p.line != "end" {
		p.fail("expected end")
	}
	for p.err == nil && p.in.Scan() {
		p.number++
		if strings.TrimSpace(p.in.Text()) != "" {
			p.fail("text after the end")
		}
	}
	if err := p.in.Err(); err != nil && p.err == nil {
		p.err = fmt.Errorf("%s: %w", p.file, err)
	}
}

// keyword reads a line that begins with a word and returns the rest.
func (p *reader) keyword(word string) string {
	p.next()
	return p.rest(word)
}

// rest is what follows a word in the current line.
func (p *reader) rest(word string) string {
	rest, ok := strings.CutPrefix(p.line, word+" ")
	if !ok {
		p.fail("expected %s", word)
	}
	return strings.TrimSpace(rest)
}

func (p *reader) size(text string) Size {
	states, edges, _ := strings.Cut(text, " ")
	return Size{p.count(states), p.count(strings.TrimSpace(edges))}
}

// count reads a number from 0 to 2^31-1.
func (p *reader) count(text string) int {
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil {
		p.fail("expected a number up to %d, found %q", math.MaxInt32, text)
	}
	return int(n)
}

func (p *reader) labels(what string) []string {
	n := p.count(p.keyword(what))
	labels := make([]string, 0, min(n, maxReserved))
	for len(labels) < n && p.err == nil {
		p.next()
		label, err := strconv.Unquote(p.line)
		if err != nil {
			p.fail("expected a label in quotes")
		}
		labels = append(labels, label)
	}
	return labels
}

// simulations reads the simulations of a sort, which the current line begins, or none, and says where.
func (p *reader) simulations(sort string) (said []lts.Simulated, line int) {
	if p.err != nil || !strings.HasPrefix(p.line, "simulations "+sort+" ") {
		return nil, 0
	}
	line = p.number
	n := p.count(p.rest("simulations " + sort))
	for len(said) < n && p.err == nil {
		p.next()
		left, right, ok := strings.Cut(p.line, ":")
		if !ok {
			p.fail("expected a simulation: a state, a colon, the states that simulate it")
		}
		said = append(said, lts.Simulated{State: lts.State(p.count(strings.TrimSpace(left))), By: p.states(right)})
	}
	p.next()
	return said, line
}

// pairs reads the pairs, which the current line begins.
func (p *reader) pairs(components int) []lts.Pair {
	n := p.count(p.rest("pairs"))
	pairs := make([]lts.Pair, 0, min(n, maxReserved))
	for len(pairs) < n && p.err == nil {
		p.next()
		impl, spec, ok := strings.Cut(p.line, ":")
		if !ok || len(strings.Fields(impl)) != components {
			p.fail("expected a pair: %d component states, a colon, specification states", components)
		}
		spec, of, some := strings.Cut(spec, ":")
		pair := lts.Pair{Impl: p.states(impl), Spec: p.states(spec)}
		if some {
			pair.Of = []int32{}
			for _, i := range p.states(of) {
				pair.Of = append(pair.Of, int32(i))
			}
		}
		pairs = append(pairs, pair)
	}
	return pairs
}

func (p *reader) states(text string) []lts.State {
	var states []lts.State
	for word := range strings.FieldsSeq(text) {
		states = append(states, lts.State(p.count(word)))
	}
	return states
}

// fail notes the first error, at the current line.
func (p *reader) fail(format string, args ...any) {
	if p.err == nil {
		p.err = &lts.SyntaxError{File: p.file, Line: p.number, Column: 1, Message: fmt.Sprintf(format, args...)}
	}
}

package cert

import (
	"bufio"
	"fmt"
	"io"
	"strconv"

	"magus/lts"
)

// The text form, version 2. Labels are Go string literals; states are numbers. Pairs give one state
// a component, a colon, and the specification's states in ascending order.
//
//	magus-certificate 2
//	claim weak-trace-containment    or trace-containment
//	impl 3 3                        states and transitions, one such line a component
//	spec 2 2
//	observed 2
//	"lock"
//	"unlock"
//	verdict holds
//	pairs 2
//	0 : 0
//	1 : 0 1
//	end
//
// Of several components, a pair may say whose steps are enough, counted from 0, behind another colon.
// Then the order of the pairs matters: a later one has to cover one of these steps (persistent.go).
//
//	0 3 : 0 1 : 1 2
//
// Pairs may rely on simulations, which stand before them then: a state, a colon, and the states that
// simulate it. There are up to three sorts, in this order: of spec states by spec states, of impl
// states by impl states, of impl states by spec states; the latter two only if impl is one LTS.
//
//	simulations spec 1
//	1 : 0
//	simulations impl 1
//	2 : 0
//	simulations cross 2
//	0 : 0
//	2 : 0 1
//
// and for a violated containment, instead of pairs:
//
//	verdict fails
//	trace 2
//	"lock"
//	"lock"
//	end

const (
	magic       = "magus-certificate"
	version     = 2
	claimWeak   = "weak-trace-containment"
	claimStrong = "trace-containment"
)

// Claim names the question that c answers.
func (c *Certificate) Claim() string {
	if c.Strong {
		return claimStrong
	}
	return claimWeak
}

// Write writes the text form of c.
func (c *Certificate) Write(w io.Writer) error {
	out := bufio.NewWriterSize(w, 64<<10) // an error stays until Flush
	fmt.Fprintf(out, "%s %d\nclaim %s\n", magic, version, c.Claim())
	for _, size := range c.Impl {
		fmt.Fprintf(out, "impl %d %d\n", size.States, size.Edges)
	}
	fmt.Fprintf(out, "spec %d %d\n", c.Spec.States, c.Spec.Edges)
	writeLabels(out, "observed", c.Observed)
	if c.Holds {
		fmt.Fprintln(out, "verdict holds")
		writeSimulations(out, "spec", c.Simulations.Spec)
		writeSimulations(out, "impl", c.Simulations.Impl)
		writeSimulations(out, "cross", c.Simulations.Cross)
		fmt.Fprintf(out, "pairs %d\n", len(c.Pairs))
		var line []byte
		for _, pair := range c.Pairs {
			line = appendRelated(line[:0], pair.Impl, pair.Spec)
			if pair.Of != nil {
				line[len(line)-1] = ' '
				line = appendComponents(append(line, ':'), pair.Of)
			}
			if _, err := out.Write(line); err != nil { // there may be millions
				return err
			}
		}
	} else {
		fmt.Fprintln(out, "verdict fails")
		writeLabels(out, "trace", c.Trace)
	}
	fmt.Fprintln(out, "end")
	return out.Flush()
}

func writeLabels(out io.Writer, what string, labels []string) {
	fmt.Fprintf(out, "%s %d\n", what, len(labels))
	for _, label := range labels {
		fmt.Fprintln(out, strconv.Quote(label))
	}
}

func writeSimulations(out io.Writer, sort string, said []lts.Simulated) {
	if len(said) == 0 {
		return
	}
	fmt.Fprintf(out, "simulations %s %d\n", sort, len(said))
	var line []byte
	for _, pair := range said {
		line = appendRelated(line[:0], []lts.State{pair.State}, pair.By)
		out.Write(line)
	}
}

// appendRelated writes a line of states, a colon, and states.
func appendRelated(line []byte, left, right []lts.State) []byte {
	line = appendStates(line, left)
	line = append(line, ':', ' ')
	line = appendStates(line, right)
	line[len(line)-1] = '\n'
	return line
}

// appendComponents writes the numbers of components, and ends the line.
func appendComponents(line []byte, of []int32) []byte {
	for _, i := range of {
		line = strconv.AppendInt(append(line, ' '), int64(i), 10)
	}
	return append(line, '\n')
}

// appendStates writes states, each with a blank behind it.
func appendStates(line []byte, states []lts.State) []byte {
	for _, s := range states {
		line = strconv.AppendUint(line, uint64(s), 10)
		line = append(line, ' ')
	}
	return line
}

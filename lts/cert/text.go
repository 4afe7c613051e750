package cert

import (
	"bufio"
	"fmt"
	"io"
	"strconv"

	"magus/lts"
)

// The text form, version 1. Labels are Go string literals; states are numbers. Pairs give one state
// a component, a colon, and the specification's states in ascending order.
//
//	magus-certificate 1
//	claim weak-trace-containment
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
// and for a violated containment, instead of pairs:
//
//	verdict fails
//	trace 2
//	"lock"
//	"lock"
//	end

const (
	magic   = "magus-certificate"
	version = 1
	claim   = "weak-trace-containment"
)

// Write writes the text form of c.
func (c *Certificate) Write(w io.Writer) error {
	out := bufio.NewWriterSize(w, 64<<10) // an error stays until Flush
	fmt.Fprintf(out, "%s %d\nclaim %s\n", magic, version, claim)
	for _, size := range c.Impl {
		fmt.Fprintf(out, "impl %d %d\n", size.States, size.Edges)
	}
	fmt.Fprintf(out, "spec %d %d\n", c.Spec.States, c.Spec.Edges)
	writeLabels(out, "observed", c.Observed)
	if c.Holds {
		fmt.Fprintf(out, "verdict holds\npairs %d\n", len(c.Pairs))
		var line []byte
		for _, pair := range c.Pairs {
			line = appendStates(line[:0], pair.Impl)
			line = append(line, ':', ' ')
			line = appendStates(line, pair.Spec)
			line[len(line)-1] = '\n'
			out.Write(line)
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

// appendStates writes states, each with a blank behind it.
func appendStates(line []byte, states []lts.State) []byte {
	for _, s := range states {
		line = strconv.AppendUint(line, uint64(s), 10)
		line = append(line, ' ')
	}
	return line
}

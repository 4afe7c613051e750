package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"magus/app/outfile"
)

// render lets Graphviz draw DOT text in a format such as png, within its time.
func (w *World) render(ctx context.Context, text []byte, format string) ([]byte, error) {
	program, err := w.LookPath("dot")
	if err != nil {
		return nil, errors.New("drawing needs Graphviz, and there is no program dot in PATH: " +
			"install graphviz, or draw FILE.svg without --layout dot")
	}
	ctx, cancel := context.WithTimeoutCause(ctx, w.GraphvizTime,
		fmt.Errorf("drawing by Graphviz takes more than %v: draw less (--around, --trace-only, not --all), "+
			"or FILE.svg without --layout dot", w.GraphvizTime))
	defer cancel()
	out, err := graphviz(ctx, program, text, format)
	return outfile.Drawn(format, out), err
}

// graphviz runs the program of Graphviz that is named dot.
func graphviz(ctx context.Context, program string, text []byte, format string) ([]byte, error) {
	c := exec.CommandContext(ctx, program, "-T"+format)
	var out, complaint bytes.Buffer
	c.Stdin, c.Stdout, c.Stderr = bytes.NewReader(text), &out, &complaint
	c.WaitDelay = time.Second // for its own children that hold the pipes
	if err := c.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, fmt.Errorf("%s: %v: %s", program, err, strings.TrimSpace(complaint.String()))
	}
	return out.Bytes(), nil
}

package cli

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"strings"
)

// runDot lets Graphviz draw DOT text in a format such as svg.
func runDot(ctx context.Context, program string, text []byte, format string) ([]byte, error) {
	c := exec.CommandContext(ctx, program, "-T"+format)
	var out, complaint bytes.Buffer
	c.Stdin, c.Stdout, c.Stderr = bytes.NewReader(text), &out, &complaint
	if err := c.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, fmt.Errorf("%s: %v: %s", program, err, strings.TrimSpace(complaint.String()))
	}
	return out.Bytes(), nil
}

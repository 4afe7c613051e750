package draw

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// Format is the format of a picture by the name of its file: dot, svg, png or pdf.
func Format(file string) (string, error) {
	switch format := strings.TrimPrefix(strings.ToLower(filepath.Ext(file)), "."); format {
	case "dot", "gv":
		return "dot", nil
	case "svg", "png", "pdf":
		return format, nil
	}
	return "", fmt.Errorf("%s: the name has to end with .svg, .png, .pdf or .dot", file)
}

// Graphviz lets Graphviz, whose program dot is named, draw DOT text in a format
// such as svg.
func Graphviz(ctx context.Context, program string, text []byte, format string) ([]byte, error) {
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

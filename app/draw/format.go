package draw

import (
	"fmt"
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

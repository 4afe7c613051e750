package report

import (
	"encoding/json"
	"io"
)

// WriteJSON writes the report as one indented JSON document with a final
// newline. Characters such as < and & stay readable: the document is not HTML.
func WriteJSON(w io.Writer, c *Check) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(c)
}

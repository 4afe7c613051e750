package svwitness

import (
	"crypto/sha256"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// A Witness is a document of the format: of a violation if it has waypoints, of a proof else.
type Witness struct {
	Task
	Version   string // of magus
	Created   string // the time, by ISO 8601
	Violation bool
	Waypoints []Waypoint // of a violation, each in a segment of its own; the last one is the target, or cycles
	// Invariants are those of a proof; there may be none.
	Invariants []Invariant
}

// A Task is what was verified.
type Task struct {
	Files         []File
	Specification string // such as "G ! call(reach_error())"
	DataModel     string // ILP32 or LP64
}

// A File is a file that was named.
type File struct {
	Name string
	Text []byte
}

// A Location is a place in one of the files, as they are, whatever line markers say.
type Location struct {
	File         string
	Line, Column int
	Function     string
}

// A Waypoint is a place that the run comes through, with what holds there.
type Waypoint struct {
	Kind     string // "branching", "function_return", "assumption" or "target"
	Location Location
	Value    string // of the constraint; "" for a target
	Cycles   bool   // it is passed again and again, with those behind it
}

// An Invariant is a C expression that holds whenever control comes to a place.
type Invariant struct {
	Loop     bool // before the condition of the loop is looked at, each time
	Location Location
	Value    string
}

// Write writes the witness as YAML. Texts are quoted, so that nothing in them is markup.
func Write(out io.Writer, w *Witness) error {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	kind := "invariant_set"
	if w.Violation {
		kind = "violation_sequence"
	}
	line("- entry_type: %q", kind)
	line("  metadata:")
	line("    format_version: %q", w.format())
	line("    uuid: %q", w.uuid())
	line("    creation_time: %s", quote(w.Created))
	line("    producer:")
	line("      name: \"magus\"")
	line("      version: %s", quote(w.Version))
	line("    task:")
	line("      input_files:")
	for _, f := range w.Files {
		line("        - %s", quote(f.Name))
	}
	line("      input_file_hashes:")
	for _, f := range w.Files {
		line("        %s: \"%x\"", quote(f.Name), sha256.Sum256(f.Text))
	}
	line("      specification: %s", quote(w.Specification))
	line("      data_model: %s", quote(w.DataModel))
	line("      language: \"C\"")
	switch {
	case w.Violation:
		line("  content:")
		for _, p := range w.Waypoints {
			action := "follow"
			if p.Cycles {
				action = "cycle"
			}
			line("    - segment:\n        - waypoint:\n            type: %q\n            action: %q", p.Kind, action)
			writeLocation(line, p.Location)
			if p.Value != "" {
				line("            constraint:\n              value: %s", quote(p.Value))
				switch p.Kind {
				case "function_return":
					line("              format: \"ext_c_expression\"")
				case "assumption":
					line("              format: \"c_expression\"")
				}
			}
		}
	case len(w.Invariants) == 0:
		line("  content: []")
	default:
		line("  content:")
		for _, v := range w.Invariants {
			kind := "location_invariant"
			if v.Loop {
				kind = "loop_invariant"
			}
			line("    - invariant:\n            type: %q", kind)
			writeLocation(line, v.Location)
			line("            value: %s\n            format: \"c_expression\"", quote(v.Value))
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

func writeLocation(line func(string, ...any), l Location) {
	line(
		"            location:\n              file_name: %s\n              line: %d\n              column: %d",
		quote(l.File), l.Line, l.Column)
	if l.Function != "" {
		line("              function: %s", quote(l.Function))
	}
}

// format is the version of the format: what goes on for ever is said since 2.1.
func (w *Witness) format() string {
	if n := len(w.Waypoints); n > 0 && w.Waypoints[n-1].Cycles {
		return "2.1"
	}
	return "2.0"
}

// uuid is one that is the same for the same content: version 8 of RFC 9562, made of a hash.
func (w *Witness) uuid() string {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %v %v %v", w.Version, w.Created, w.Task, w.Waypoints, w.Invariants)
	id := h.Sum(nil)[:16]
	id[6], id[8] = id[6]&0x0f|0x80, id[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}

// quote writes a text in double quotes, with the escapes that YAML and Go have in common.
func quote(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case strconv.IsPrint(r):
			b.WriteRune(r)
		case r < 0x100:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

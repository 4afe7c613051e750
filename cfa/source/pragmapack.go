package source

// #pragma pack, which the C library passes over.
//
// Idea: in the text that the library reads a declaration of a tag stands in its place,
// struct __magus_pack_set_1;, which has a place among the tokens and changes nothing. It is
// found again when records are looked at (Layouts.read). What has another form is left as it
// is, and refused.

import (
	"strconv"
	"strings"

	"magus/cfa/source/preprocess"
	"magus/internal/pattern"
)

// packMarker begins the tags that stand for #pragma pack in the text that the C library reads.
const packMarker = "__magus_pack_"

// packed is the declaration in the place of a directive with these tokens behind its word; "" if it has another form.
func packed(tokens []preprocess.Token) string {
	if len(tokens) < 2 || !tokens[0].Is("(") || !tokens[len(tokens)-1].Is(")") {
		return ""
	}
	words := []string{""}
	for _, t := range tokens[1 : len(tokens)-1] {
		if last := &words[len(words)-1]; t.Is(",") {
			words = append(words, "")
		} else if *last += t.Text; *last != t.Text {
			return ""
		}
	}
	op, number, name := "set", "0", ""
	if words[0] == "push" || words[0] == "pop" {
		op, words = words[0], words[1:]
	}
	for _, w := range words {
		switch n, err := strconv.Atoi(w); {
		case w == "" && len(words) == 1 && op == "set":
		case err == nil && (n == 0 || n == 1 || n == 2 || n == 4 || n == 8 || n == 16):
			number = w
		case op != "set" && name == "" && isName(w):
			name = w
		default:
			return ""
		}
	}
	return "struct " + packMarker + op + "_" + number + "_" + name + ";"
}

var reName = pattern.New(`^[A-Za-z_][A-Za-z_0-9]*$`)

func isName(s string) bool { return reName().MatchString(s) }

// A pragmaPack is one in the text.
type pragmaPack struct {
	seq int
	op  string
}

// A packStack is what #pragma pack has set.
type packStack struct {
	now   int64
	saved []int64
	names []string
}

// apply does what a marker says: set_N_, push_N_name or pop_N_name, with 0 for no number.
func (s *packStack) apply(op string) {
	parts := strings.SplitN(op, "_", 3)
	n, _ := strconv.ParseInt(parts[1], 10, 64)
	switch parts[0] {
	case "set":
		s.now = n
		return
	case "push":
		s.saved, s.names = append(s.saved, s.now), append(s.names, parts[2])
	case "pop":
		s.pop(parts[2])
	}
	if n > 0 {
		s.now = n
	}
}

// pop goes back to before the last push, or to before that of a name.
func (s *packStack) pop(name string) {
	last := len(s.names) - 1
	for ; name != "" && last >= 0 && s.names[last] != name; last-- {
	}
	if last >= 0 {
		s.now = s.saved[last]
		s.saved, s.names = s.saved[:last], s.names[:last]
	}
}

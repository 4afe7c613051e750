package report

// Coverage line by line, as geninfo and lcov have it (man geninfo, "FILES").

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"magus/evidence/verdict"
)

// A Covered claim has a name and, if it was proved, what the proof reached.
type Covered struct {
	Claim, Verdict string
	Coverage       []*verdict.Coverage
}

// WriteLcov writes a record for each proof and file: a line with statements in sight
// counts 1 if one of them was reached, else 0. Claims without a proof have none.
func WriteLcov(w io.Writer, claims []Covered) error {
	var b strings.Builder
	for _, c := range claims {
		files := linesOf(c.Coverage)
		for _, file := range slices.Sorted(maps.Keys(files)) {
			fmt.Fprintf(&b, "TN:%s\nSF:%s\n", testName(c.Claim), file)
			hit := 0
			for _, n := range slices.Sorted(maps.Keys(files[file])) {
				count := 0
				if files[file][n].reached > 0 {
					count = 1
				}
				hit += count
				fmt.Fprintf(&b, "DA:%d,%d\n", n, count)
			}
			fmt.Fprintf(&b, "LF:%d\nLH:%d\nend_of_record\n", len(files[file]), hit)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// testName is a claim's name as lcov allows it: letters, digits and underscores. It begins with the
// name of the program.
func testName(claim string) string {
	words := strings.FieldsFunc(claim, func(r rune) bool { return r > 'z' || !isWord(byte(r)) })
	return "magus_" + strings.Join(words, "_")
}

func isWord(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_'
}

// A line is what was reached of the statements that begin on a line.
type line struct {
	reached, missed int
	because         []Blocker // of those that were not, each once
}

// linesOf are the lines with statements in sight, by file and number.
func linesOf(cs []*verdict.Coverage) map[string]map[int]line {
	files := map[string]map[int]line{}
	for _, c := range cs {
		for _, st := range c.Statements {
			if files[st.Pos.File] == nil {
				files[st.Pos.File] = map[int]line{}
			}
			l := files[st.Pos.File][st.Pos.Line]
			if st.Reached {
				l.reached++
			} else {
				l.missed++
				if o := newBlocker(st.Because); !slices.ContainsFunc(l.because, o.equal) {
					l.because = append(l.because, o)
				}
			}
			files[st.Pos.File][st.Pos.Line] = l
		}
	}
	return files
}

func (o Blocker) equal(p Blocker) bool { return o.Text == p.Text && samePlace(o.Place, p.Place) }

package report_test

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/app/report"
	"magus/cfa"
	"magus/evidence/verdict"
)

// A tracefile is what lcov reads: by test and file, how often each line was reached.
type tracefile map[[2]string]map[int]int

// parseLcov reads a tracefile as geninfo(1) describes it, and nothing else: records of
// one test name, one file, its lines in order, their sums, and an end.
func parseLcov(text string) (tracefile, error) {
	all := tracefile{}
	var name, file string
	var lines map[int]int
	sums := map[string]int{}
	last := 0
	scan := bufio.NewScanner(strings.NewReader(text))
	for scan.Scan() {
		key, value, found := strings.Cut(scan.Text(), ":")
		switch {
		case scan.Text() == "end_of_record":
			hit := 0
			for _, n := range lines {
				hit += min(n, 1)
			}
			if lines == nil || sums["LF"] != len(lines) || sums["LH"] != hit {
				return nil, fmt.Errorf("record of %s: sums %v, %d lines, %d reached", file, sums, len(lines), hit)
			}
			if all[[2]string{name, file}] != nil {
				return nil, fmt.Errorf("two records of %s in %s", file, name)
			}
			all[[2]string{name, file}] = lines
			name, file, lines, sums = "", "", nil, map[string]int{}
		case key == "TN" && found && lines == nil &&
			strings.Trim(value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == "":
			name = value
		case key == "SF" && value != "" && lines == nil:
			file, lines, last = value, map[int]int{}, 0
		case key == "DA" && lines != nil && len(sums) == 0:
			number, count, _ := strings.Cut(value, ",")
			n, err := strconv.Atoi(number)
			c, bad := strconv.Atoi(count)
			if err != nil || bad != nil || n <= last || c < 0 {
				return nil, fmt.Errorf("line %q", scan.Text())
			}
			lines[n], last = c, n
		case (key == "LF" || key == "LH") && lines != nil:
			n, err := strconv.Atoi(value)
			if _, twice := sums[key]; err != nil || twice {
				return nil, fmt.Errorf("sum %q", scan.Text())
			}
			sums[key] = n
		default:
			return nil, fmt.Errorf("unexpected %q", scan.Text())
		}
	}
	if lines != nil {
		return nil, fmt.Errorf("the record of %s has no end", file)
	}
	return all, nil
}

// What is written for lcov can be read, and says of each line with a statement whether
// one of them was reached.
func TestLcovIsRead(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	for range 300 {
		want := tracefile{}
		var claims []report.Covered
		for i := range r.IntN(3) {
			c := report.Covered{Claim: fmt.Sprintf("procedure f%d, abstraction é:1", i), Verdict: "conforms"}
			name := fmt.Sprintf("magus_procedure_f%d_abstraction_1", i)
			for range 1 + r.IntN(2) {
				var of verdict.Coverage
				for range r.IntN(8) {
					st := verdict.Covered{Pos: cfa.Pos{File: [...]string{"a.c", "dir/b c.c"}[r.IntN(2)],
						Line: 1 + r.IntN(9), Col: 1 + r.IntN(9)}, Reached: r.IntN(2) == 0}
					of.Statements = append(of.Statements, st)
					key := [2]string{name, st.Pos.File}
					if want[key] == nil {
						want[key] = map[int]int{}
					}
					want[key][st.Pos.Line] = max(want[key][st.Pos.Line], map[bool]int{true: 1}[st.Reached])
				}
				c.Coverage = append(c.Coverage, &of)
			}
			claims = append(claims, c)
		}
		var b strings.Builder
		require.NoError(t, report.WriteLcov(&b, claims))
		got, err := parseLcov(b.String())
		require.NoError(t, err, b.String())
		require.Equal(t, want, got, b.String())
	}
}

func TestLcovParserIsStrict(t *testing.T) {
	for _, text := range []string{"SF:a.c\n", "TN:x\nSF:a.c\nDA:1,1\nLF:2\nLH:1\nend_of_record\n",
		"TN:x\nSF:a.c\nDA:2,1\nDA:1,1\nLF:2\nLH:2\nend_of_record\n", "TN:x y\nSF:a.c\nLF:0\nLH:0\nend_of_record\n",
		"DA:1,1\n"} {
		_, err := parseLcov(text)
		require.Error(t, err, text)
	}
}

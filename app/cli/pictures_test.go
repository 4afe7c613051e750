package cli_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/app/cli"
	"magus/internal/golden"
	"magus/internal/sample"
)

// The measures of pictures, which are read from their text and so have nothing to do with what lays them
// out: labels that overlap, crossings of edges, the share of the area that something is drawn in, and
// whether edges lead nowhere. They are kept, so that what makes pictures worse is seen.
func TestMeasures(t *testing.T) {
	sample.Long(t)
	const file = "testdata/pictures.txt"
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("../../examples")))
	fsp, err := os.ReadFile("testdata/diners.lts")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "diners.lts"), fsp, 0o666))
	lock, both := "lock/lock.c lock/lock.spec",
		"handshake/client.c handshake/server.c handshake/lib.spec handshake/p03.spec"
	drawn(t, dir, file, []pictured{
		{"lock, automaton", "dot cfa " + lock},
		{"lock, MP", "dot mp --run " + lock},
		{"lock, MA", "dot ma --run --action-abstraction on " + lock},
		{"lock, product", "dot product --run lock/lock_bad.c lock/lock.spec"},
		{"lock, run", "dot mp --run --trace-only lock/lock_bad.c lock/lock.spec"},
		{"handshake, automaton of client", "dot cfa client " + both},
		{"handshake, automaton of server", "dot cfa server " + both},
		{"handshake, MP of client", "dot mp client --run " + both},
		{"handshake, MP of server", "dot mp server --run " + both},
		{"handshake, MA of client", "dot ma client --run " + both},
		{"handshake, MA of server", "dot ma server --run " + both},
		{"handshake, product", "dot product --run " + both},
		{"philosophers, 3 of them", "lts convert diners.lts:DINERS(3)"},
		{"philosophers, 4 of them, an overview", "lts convert diners.lts:DINERS(4)"},
		{"philosophers, 5 of them, an overview", "lts convert diners.lts:DINERS(5)"},
	})
}

// The same of programs that do not come along.
func TestMeasuresOfBenchmarks(t *testing.T) {
	const folder = "../../../shared/bench/"
	dir := t.TempDir()
	var all []pictured
	for _, name := range []string{"ssh-simplified/s3_srvr_2_true-unreach-call", "systemc/pipeline_false",
		"systemc/transmitter.03_false"} {
		text, err := os.ReadFile(folder + name + ".cil.c")
		if err != nil {
			t.Skip("the programs are not there")
		}
		base := filepath.Base(name)
		require.NoError(t, os.WriteFile(filepath.Join(dir, base+".c"), text, 0o666))
		all = append(all, pictured{base, "dot cfa main --property unreach-call " + base + ".c"})
	}
	drawn(t, dir, "testdata/pictures_bench.txt", all)
}

// A pictured is a picture and the command that draws it.
type pictured struct{ name, command string }

// drawn compares the measures of pictures with those in a file.
func drawn(t *testing.T, dir, file string, all []pictured) {
	var out strings.Builder
	fmt.Fprintf(&out, "%-34s %6s %6s %7s %6s %10s %9s %5s\n", "picture", "width", "height", "boxes",
		"edges", "overlaps", "crossings", "used")
	for _, c := range all {
		w, _, stderr := testWorld(dir)
		require.Zero(t, cli.Main(t.Context(), append(strings.Fields(c.command), "-o", "x.svg", "--force"), w),
			"%s: %s", c.name, stderr.String())
		text, err := os.ReadFile(filepath.Join(dir, "x.svg"))
		require.NoError(t, err)
		m := measured(t, string(text))
		require.Zero(t, m.overlaps, "%s: labels overlap", c.name)
		require.Zero(t, m.loose, "%s: edges that lead nowhere", c.name)
		fmt.Fprintf(&out, "%-36s %4.0f %6.0f %7d %6d %10d %9d %4.0f%%\n", c.name, m.w, m.h, m.boxes, m.edges,
			m.overlaps, m.crossings, m.used*100)
	}
	golden.Equal(t, file, out.String())
}

// measures are those of one picture.
type measures struct {
	w, h                       float64
	boxes, edges               int
	overlaps, crossings, loose int
	used                       float64
}

type spot struct{ x, y float64 }

type area struct{ a, b spot }

func (r area) meets(s area) bool {
	const touch = 0.5
	return r.a.x < s.b.x-touch && s.a.x < r.b.x-touch && r.a.y < s.b.y-touch && s.a.y < r.b.y-touch
}

var (
	sizeOf   = regexp.MustCompile(`^<svg [^>]*width="(\d+)" height="(\d+)"`)
	boxOf    = regexp.MustCompile(`<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"`)
	octagon  = regexp.MustCompile(`<path d="M([\d.]+) ([\d.]+)h([\d.]+)l7 7v([\d.]+)l`)
	labelsOf = regexp.MustCompile(`<text x="([\d.]+)" y="([\d.]+)" font-size="11"[^>]*>([^<]*)</text>`)
	edgesOf  = regexp.MustCompile(`<path d="([^"]*)" fill="none"`)
	commands = regexp.MustCompile(`([Mlvc])([-\d. ]+)`)
)

func measured(t *testing.T, svg string) (m measures) {
	number := func(text string) float64 {
		n, err := strconv.ParseFloat(text, 64)
		require.NoError(t, err)
		return n
	}
	size := sizeOf.FindStringSubmatch(svg)
	require.NotNil(t, size)
	m.w, m.h = number(size[1]), number(size[2])
	var boxes, labels []area
	for _, b := range boxOf.FindAllStringSubmatch(svg, -1) {
		x, y := number(b[1]), number(b[2])
		one := area{spot{x, y}, spot{x + number(b[3]), y + number(b[4])}}
		if n := len(boxes); n > 0 && boxes[n-1].meets(one) { // the other border of the same box
			boxes[n-1] = area{spot{min(x, boxes[n-1].a.x), min(y, boxes[n-1].a.y)},
				spot{max(one.b.x, boxes[n-1].b.x), max(one.b.y, boxes[n-1].b.y)}}
			continue
		}
		boxes = append(boxes, one)
	}
	for _, b := range octagon.FindAllStringSubmatch(svg, -1) {
		x, y := number(b[1])-7, number(b[2])
		boxes = append(boxes, area{spot{x, y}, spot{x + number(b[3]) + 14, y + number(b[4]) + 14}})
	}
	for _, l := range labelsOf.FindAllStringSubmatch(svg, -1) {
		x, y := number(l[1]), number(l[2])
		labels = append(labels, area{spot{x, y - 9}, spot{x + 6.6*float64(len([]rune(l[3]))), y + 2}})
	}
	lines := linesOf(t, svg)
	m.boxes, m.edges = len(boxes), len(lines)
	all := append(append([]area(nil), boxes...), labels...)
	for i, a := range all {
		for _, b := range all[:i] {
			if a.meets(b) {
				m.overlaps++
			}
		}
	}
	for _, a := range lines {
		end := a[len(a)-1]
		if !atSome(boxes, end) || !atSome(boxes, a[0]) {
			m.loose++
		}
	}
	m.crossings = crossings(lines)
	m.used = share(m.w, m.h, all, lines)
	return m
}

// linesOf are the edges as lines of short pieces.
func linesOf(t *testing.T, svg string) (all [][]spot) {
	for _, e := range edgesOf.FindAllStringSubmatch(svg, -1) {
		var line []spot
		for _, c := range commands.FindAllStringSubmatch(e[1], -1) {
			var ns []float64
			for f := range strings.FieldsSeq(c[2]) {
				n, err := strconv.ParseFloat(f, 64)
				require.NoError(t, err)
				ns = append(ns, n)
			}
			if c[1] == "M" {
				line = append(line, spot{ns[0], ns[1]})
				continue
			}
			p := line[len(line)-1] // from which the others are told
			switch c[1] {
			case "l":
				line = append(line, spot{p.x + ns[0], p.y + ns[1]})
			case "v":
				line = append(line, spot{p.x, p.y + ns[0]})
			case "c":
				for i := 1; i <= 8; i++ {
					u := float64(i) / 8
					v := 1 - u
					at := func(b, c, d float64) float64 { return 3*v*v*u*b + 3*v*u*u*c + u*u*u*d }
					line = append(line, spot{p.x + at(ns[0], ns[2], ns[4]), p.y + at(ns[1], ns[3], ns[5])})
				}
			}
		}
		if len(line) > 1 {
			all = append(all, line)
		}
	}
	return all
}

// atSome reports whether a place is at a box.
func atSome(boxes []area, p spot) bool {
	const near = 2
	for _, b := range boxes {
		if p.x >= b.a.x-near && p.x <= b.b.x+near && p.y >= b.a.y-near && p.y <= b.b.y+near {
			return true
		}
	}
	return false
}

// crossings is how often lines are seen to cross: pieces of lines that do. Where several lines are one on
// the picture, they cross once. Lines do not cross where they begin or end.
func crossings(lines [][]spot) (n int) {
	type piece struct{ a, b spot }
	met := map[piece]bool{}
	var pieces []piece
	for _, l := range lines {
		for i := 1; i < len(l); i++ {
			p := piece{l[i-1], l[i]}
			if p.a.y > p.b.y {
				p.a, p.b = p.b, p.a
			}
			if !met[p] {
				met[p] = true
				pieces = append(pieces, p)
			}
		}
	}
	side := func(p, q, r spot) float64 { return (q.x-p.x)*(r.y-p.y) - (q.y-p.y)*(r.x-p.x) }
	for i, a := range pieces {
		for _, b := range pieces[:i] {
			if side(a.a, a.b, b.a)*side(a.a, a.b, b.b) < -1e-6 && side(b.a, b.b, a.a)*side(b.a, b.b, a.b) < -1e-6 {
				n++
			}
		}
	}
	return n
}

// share is the part of the area whose squares of 40 by 40 something is drawn in.
func share(w, h float64, areas []area, lines [][]spot) float64 {
	const square = 40
	columns, rows := int(math.Ceil(w/square)), int(math.Ceil(h/square))
	taken := make([]bool, columns*rows)
	mark := func(x, y float64) {
		c, r := int(x/square), int(y/square)
		if c >= 0 && r >= 0 && c < columns && r < rows {
			taken[r*columns+c] = true
		}
	}
	for _, a := range areas {
		for x := a.a.x; ; x = min(x+square/2, a.b.x) {
			for y := a.a.y; ; y = min(y+square/2, a.b.y) {
				if mark(x, y); y >= a.b.y {
					break
				}
			}
			if x >= a.b.x {
				break
			}
		}
	}
	for _, l := range lines {
		for i := 1; i < len(l); i++ {
			for n := 0; n <= 20; n++ {
				u := float64(n) / 20
				mark(l[i-1].x+u*(l[i].x-l[i-1].x), l[i-1].y+u*(l[i].y-l[i-1].y))
			}
		}
	}
	used := 0.0
	for i, t := range taken {
		if t { // squares at the right and below may be in the picture in part only
			x, y := float64(i%columns*square), float64(i/columns*square)
			used += min(square, w-x) * min(square, h-y)
		}
	}
	return used / (w * h)
}

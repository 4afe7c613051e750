package cli

import (
	"crypto/rand"
	"encoding/hex"
	"strings"

	"magus/app/options"
	"magus/app/repl"
	"magus/app/report"
)

// A palette gives text colours. What is printed goes through [output], which lets no
// escape sequence of the input through; so colours are marks that only this process
// knows, which output makes sequences of at last.
type palette struct{ key string }

func newPalette() *palette {
	var nonce [8]byte
	_, _ = rand.Read(nonce[:]) // it never fails
	return &palette{"\ufdd0" + hex.EncodeToString(nonce[:])}
}

// sequences are those of the styles.
var sequences = map[report.Style]string{report.Good: "32", report.Bad: "1;31", report.Open: "33",
	report.Strong: "1", report.Faint: "2"}

// paint implements report.Text's Paint.
func (p *palette) paint(s report.Style, text string) string {
	return p.key + string(rune('0'+int(s))) + text + p.key + "0"
}

// colours makes sequences of the marks.
func (p *palette) colours(text []byte) []byte {
	if p == nil || !strings.Contains(string(text), p.key) {
		return text
	}
	pairs := []string{p.key + "0", "\x1b[0m"}
	for s, code := range sequences {
		pairs = append(pairs, p.key+string(rune('0'+int(s))), "\x1b["+code+"m")
	}
	return []byte(strings.NewReplacer(pairs...).Replace(string(text)))
}

// text says how reports are printed, by the options and what is at standard output.
func (w *World) text(o *options.Options) report.Text {
	t := report.Text{Quiet: o.Quiet, Stats: o.Stats, Verbose: o.Verbose, Width: o.Width}
	if t.Width == 0 && w.OnScreen {
		t.Width = repl.ScreenWidth()
	}
	plain := w.Env("NO_COLOR") != "" || w.Env("TERM") == "dumb"
	if o.Color == "always" || o.Color != "never" && w.OnScreen && !plain {
		t.Paint = w.palette.paint
	}
	return t
}

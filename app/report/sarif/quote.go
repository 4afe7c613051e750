package sarif

import (
	"strings"

	"magus/app/report"
)

// What stands at a place: the rest of its line, and the lines around it, so that a log can be
// read where the sources are not. Only the places of results are quoted; runs have too many.

const (
	around  = 2    // lines before and behind
	longest = 1000 // bytes of a line; longer ones are not written by people
)

// quoted is a location with the text at its place, if that is known.
func (s Settings) quoted(l location, p *report.Place) location {
	if s.Sources == nil || l.Physical == nil || l.Physical.Region == nil {
		return l
	}
	line := s.Sources.Line(p.File, p.Line)
	if strings.TrimSpace(line) == "" || len(line) > longest {
		return l
	}
	at := *l.Physical.Region
	if from := max(0, p.Column-1); from < len(line) {
		at.Snippet = &message{line[from:]}
	}
	physical := *l.Physical
	physical.Region, physical.Context = &at, s.context(p)
	l.Physical = &physical
	return l
}

// context are the lines around a place.
func (s Settings) context(p *report.Place) *region {
	from, to := max(1, p.Line-around), p.Line
	var lines []string
	for n := from; n <= p.Line+around; n++ {
		line := s.Sources.Line(p.File, n)
		if len(line) > longest {
			return nil
		}
		if lines = append(lines, line); n > to && line != "" { // else the file may have ended
			to = n
		}
	}
	return &region{StartLine: from, EndLine: to, Snippet: &message{strings.Join(lines[:to-from+1], "\n")}}
}

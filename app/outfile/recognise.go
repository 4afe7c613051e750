package outfile

// What magus has written, by how it begins.
//
// Idea: each form that magus writes begins in a way that nobody else's files do: with its own name, or, where the form
// has no room for that, with blanks and words as only magus sets them. So a file can be replaced without asking
// if it begins so, or is empty. That somebody has gone on writing in such a file is not seen.
//
// Cost: the first bytes of each output that is there already.

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"
	"regexp"
	"slices"

	"magus/app/input"
)

// beginning is how much of a file is looked at.
const beginning = 2048

// forms are the beginnings of what magus writes.
func forms() []string {
	return []string{
		`\[\n\{"certificates":\d+,"version":`,                                             // check --certificate
		`/\* Written by magus check --harness: `,                                          // check --harness
		`- entry_type: "(in|vio)[^"]*"\n(  [^\n]*\n)+?      name: "magus"\n`,              // check --witness
		`[^\n]+: (conforms|violates|unknown)\n  `,                                         // check --coverage
		`TN:magus_\w*\nSF:`,                                                               // check --coverage, for lcov
		`<!DOCTYPE html>\n<html[^>]*>\n<head>\n<meta name="generator" content="magus">\n`, // --report
		`\{\n  "\$schema": "[^"]*sarif[^"]*",\n(?s:.{0,300}?)"name": "magus",\n`,          // --sarif
		`<\?xml [^>]*>\n<testsuites name="magus" `,                                        // --junit
		`\{"Format":"magus predicates \d+",`,                                              // check --cache
		`[0-9a-f]{64} \{"Key":"`,                                                          // suite --cache
		`magus suite results \d+\n`,                                                       // suite --resume
		`\{\n  "schema": "magus-suite-\d+",\n`,                                            // suite --results
		`; Written by magus\n`,                                                            // check --dump-queries
		`des \(\d+, \d+, \d+\)\n($|\(\d+,[^ ])`,                                           // lts -o, as Aldebaran text
		`alphabet \{([^\n]{1000}|[^\n]*\}\ninit \d+[^\n]*\n)`,                             // lts -o, as text
		`// Written by magus lts\n`,                                                       // lts -o, as a definition
		`digraph  \{\n\t[^\n]*(rankdir|label)=`,                                           // lts -o, dot -o, draw, as DOT
		`<svg xmlns="http://www\.w3\.org/2000/svg" width="\d+" height="\d+" viewBox="[\d ]+" font-family="DejaVu Sans Mono, `,
		`<\?xml [^>]*>\n<!-- Drawn for magus -->\n`,        // dot -o, draw: SVG by Graphviz
		`magus-certificate \d+\n`,                          // lts compare --certificate
		`magus session \d+\n`,                              // save
		`# Written by magus param\n`,                       // param convert -o, param check --certificate
		`# magus baseline \d+\n`,                           // rules check --write-baseline
		`# Written by magus rules plan\n`,                  // rules plan -o
		`[0-9a-f]{64} \{"Format":"magus rule result \d+",`, // rules check --cache
		`magus rules job: done\n`,                          // rules job --done
	}
}

// written are the forms as one expression.
func written() *regexp.Regexp {
	all := ""
	for i, f := range forms() {
		if i > 0 {
			all += "|"
		}
		all += "(?:" + f + ")"
	}
	return regexp.MustCompile(`\A(?:` + all + `)`)
}

// Written reports whether a text begins as what magus writes, or is empty.
func Written(text []byte) bool {
	return len(text) == 0 || written().Match(text) || isOwnPNG(text) || isOwnPDF(text)
}

// Of a picture in PNG: its first bytes, its first part, and what the second part begins with and holds.
const (
	signature  = "\x89PNG\r\n\x1a\n"
	headerSize = 25
	software   = "tEXtSoftware\x00magus"
)

// isOwnPNG reports whether a text begins as a picture in PNG that was drawn for magus.
func isOwnPNG(text []byte) bool {
	const at = len(signature) + headerSize + 4 // behind the length of the second part
	return len(text) > at && string(text[:len(signature)]) == signature && bytes.HasPrefix(text[at:], []byte(software))
}

// Drawn marks a picture that another program has drawn for magus as one of these.
func Drawn(format string, text []byte) []byte {
	line, rest, ok := bytes.Cut(text, []byte("\n"))
	switch {
	case format == "png" && len(text) > len(signature)+headerSize:
		part := binary.BigEndian.AppendUint32(nil, uint32(len(software)-len("tEXt")))
		part = append(part, software...)
		part = binary.BigEndian.AppendUint32(part, crc32.ChecksumIEEE([]byte(software)))
		return slices.Insert(slices.Clone(text), len(signature)+headerSize, part...)
	case format == "svg" && ok && bytes.HasPrefix(line, []byte("<?xml ")):
		return slices.Concat(line, []byte("\n<!-- Drawn for magus -->\n"), rest)
	case format == "pdf" && ok && isPDF(line) && len(rest) > len(mark) && rest[len(mark)] == '\n' && rest[0] == '%':
		return slices.Concat(line, []byte("\n"+mark), rest[len(mark):]) // as long as before, for places are counted
	}
	return text
}

// mark is the second line of a picture in PDF that was drawn for magus: a comment that says that what follows is
// no text, as it has to be, by letters that have their highest bit set.
const mark = "%\xcd\xc1\xc7\xd3"

func isPDF(line []byte) bool { return bytes.HasPrefix(line, []byte("%PDF-")) }

// isOwnPDF reports whether a text begins as a picture in PDF that was drawn for magus.
func isOwnPDF(text []byte) bool {
	line, rest, _ := bytes.Cut(text, []byte("\n"))
	return isPDF(line) && bytes.HasPrefix(rest, []byte(mark+"\n"))
}

// isWritten reports whether what is in a regular file was written by magus.
func isWritten(path string) (bool, error) {
	file, err := input.Open(path)
	if err != nil {
		return false, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, beginning))
	return Written(text), err
}

package page

// Packed drawings.
//
// Idea: a page of many phases is nearly all drawings, and a reader looks at a few of them. Where
// they are many, the page has them once, compressed, and its script puts each one in its place
// when it is shown first. A page with few drawings has them as they are, and shows them without a
// script.
//
// Cost: that of compressing the drawings' text.

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"html/template"
)

// plainDrawings is how many bytes of drawings a page has as they are.
const plainDrawings = 100_000

// pack takes the drawings of the phases out of the claims, if they are many. The result is all of
// them: a JSON list of SVG texts, compressed by gzip, in base64. A sheet says which is its own.
func pack(claims []claim) (template.HTML, error) {
	var places []*sheet
	size := 0
	for i := range claims {
		for k := range claims[i].Figures {
			f := &claims[i].Figures[k]
			for j := range f.Sheets {
				places = append(places, &f.Sheets[j])
			}
			for j := range f.Parts {
				places = append(places, &f.Parts[j].sheet)
			}
		}
	}
	for _, p := range places {
		size += len(p.SVG)
	}
	if size <= plainDrawings {
		return "", nil
	}
	drawings := make([]template.HTML, len(places))
	for i, p := range places {
		drawings[i] = p.SVG
		p.SVG, p.Packed = "", i+1
	}
	text, err := compressed(drawings)
	return template.HTML(text), err
}

// compressed is a value's JSON, compressed by gzip, in base64.
func compressed(value any) (string, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return "", err
	}
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return "", err
	}
	if _, err := w.Write(text.Bytes()); err != nil {
		return "", err
	}
	if err := w.Close(); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(packed.Bytes()), nil
}

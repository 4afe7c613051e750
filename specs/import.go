package specs

import (
	"bytes"
	"context"
	"io"
	"strings"

	"magus/lts"
)

// readAut reads an LTS in .aut form. Labels that are return actions get their
// canonical names; all others are taken as they are, tau alone being
// unobservable.
func (p *parser) readAut(path string, text []byte, pos Pos) (*graph, error) {
	m, err := lts.ReadAut(contextReader{p.ctx, bytes.NewReader(text)}, path, lts.NewActions(), lts.AutOptions{})
	if err != nil {
		return nil, err
	}
	g := graphOf(m, pos)
	canonical := map[string]string{}
	for _, label := range g.extra {
		canonical[label] = p.canonicalLabel(label, pos)
	}
	for i, e := range g.edges {
		if e.label != tau {
			g.edges[i].label = canonical[e.label]
		}
	}
	for i, label := range g.extra {
		g.extra[i] = canonical[label]
	}
	return g, nil
}

// contextReader ends with its context.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

// Read implements io.Reader.
func (r contextReader) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(b)
}

func (p *parser) canonicalLabel(text string, pos Pos) string {
	if !strings.Contains(text, "return") {
		return text
	}
	q := newParser(p.ctx, Source{"", []byte(text)}, nil, &File{})
	var l label
	ok := q.guarded(func() { l = q.label(false) })
	if !ok || !q.is(tokEOF) || len(q.errs) > 0 || l.ret == nil {
		return text
	}
	r := *l.ret
	r.Pos = pos
	p.file.addReturn(r)
	return r.Name()
}

package dottest

// A parser by recursive descent of the language that Graphviz documents
// (https://graphviz.org/doc/info/lang.html), for what one graph needs. Stricter than
// Graphviz, which makes a node of every end of an edge: here it has to stand before.
// Linear.

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Graph is what a text draws.
type Graph struct {
	Name       string
	Attributes map[string]string
	Nodes      map[string]map[string]string // by name: attributes
	Edges      []Edge
	Clusters   int
}

// An Edge leads between two nodes.
type Edge struct {
	From, To   string
	Attributes map[string]string
}

// Parse reads the text of a directed graph.
func Parse(text string) (*Graph, error) {
	p := &parser{graph: &Graph{Attributes: map[string]string{}, Nodes: map[string]map[string]string{}}}
	if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
		return nil, fmt.Errorf("no UTF-8, or a zero in it")
	}
	var err error
	if p.tokens, err = scan(text); err != nil {
		return nil, err
	}
	if err := p.all(); err != nil {
		return nil, fmt.Errorf("token %d: %w", p.at, err)
	}
	return p.graph, nil
}

// A token is punctuation, or with id a name.
type token struct {
	text string
	id   bool
}

func scan(text string) (out []token, err error) {
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case unicode.IsSpace(r):
			i += n
		case r == '"':
			id, rest, err := quoted(text[i+1:])
			if err != nil {
				return nil, err
			}
			out, i = append(out, token{id, true}), len(text)-len(rest)
		case strings.HasPrefix(text[i:], "->"):
			out, i = append(out, token{"->", false}), i+2
		case strings.ContainsRune("{}[]=;,", r):
			out, i = append(out, token{string(r), false}), i+n
		case word(r):
			end := i
			for end < len(text) && (word(rune(text[end])) || text[end] >= utf8.RuneSelf) {
				end++
			}
			out, i = append(out, token{text[i:end], true}), end
		default:
			return nil, fmt.Errorf("%q at byte %d", r, i)
		}
	}
	return out, nil
}

func word(r rune) bool {
	return r == '_' || r == '.' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' ||
		r >= utf8.RuneSelf
}

// quoted reads up to the quote that ends a name. \" is a quote; every other escape
// stays as it is, for it is one of labels.
func quoted(text string) (id, rest string, err error) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '"':
			return b.String(), text[i+1:], nil
		case text[i] == '\\' && i+1 < len(text) && text[i+1] == '"':
			b.WriteByte('"')
			i++
		case text[i] == '\\' && i+1 < len(text):
			b.WriteString(text[i : i+2])
			i++
		default:
			b.WriteByte(text[i])
		}
	}
	return "", "", fmt.Errorf("a name without an end")
}

type parser struct {
	tokens []token
	at     int
	graph  *Graph
}

// is reports whether the next token is this one, and passes it if so.
func (p *parser) is(text string) bool {
	if p.at < len(p.tokens) && p.tokens[p.at] == (token{text, false}) {
		p.at++
		return true
	}
	return false
}

func (p *parser) id() (string, error) {
	if p.at < len(p.tokens) && p.tokens[p.at].id {
		p.at++
		return p.tokens[p.at-1].text, nil
	}
	return "", fmt.Errorf("no name")
}

func (p *parser) all() error {
	if head, err := p.id(); err != nil || head != "digraph" {
		return fmt.Errorf("it does not begin with digraph")
	}
	p.graph.Name, _ = p.id() // it may have none
	if err := p.block(p.graph.Attributes); err != nil {
		return err
	}
	if p.at < len(p.tokens) {
		return fmt.Errorf("text behind the graph")
	}
	return nil
}

// block reads statements in braces; attributes of the graph or of its part go to own.
func (p *parser) block(own map[string]string) error {
	if !p.is("{") {
		return fmt.Errorf("no {")
	}
	for !p.is("}") {
		if err := p.statement(own); err != nil {
			return err
		}
	}
	return nil
}

func (p *parser) statement(own map[string]string) error {
	if p.is(";") {
		return nil
	}
	name, err := p.id()
	if err != nil {
		return err
	}
	switch {
	case name == "subgraph":
		if _, err := p.id(); err != nil {
			return err
		}
		p.graph.Clusters++
		return p.block(map[string]string{})
	case p.is("="):
		own[name], err = p.id()
		return err
	case p.is("->"):
		return p.edge(name)
	}
	if p.graph.Nodes[name] != nil {
		return fmt.Errorf("node %s twice", name)
	}
	p.graph.Nodes[name], err = p.attributes()
	return err
}

func (p *parser) edge(from string) error {
	to, err := p.id()
	if err != nil {
		return err
	}
	for _, end := range []string{from, to} {
		if p.graph.Nodes[end] == nil {
			return fmt.Errorf("an edge at %s, which is no node", end)
		}
	}
	as, err := p.attributes()
	p.graph.Edges = append(p.graph.Edges, Edge{from, to, as})
	return err
}

func (p *parser) attributes() (map[string]string, error) {
	as := map[string]string{}
	for p.is("[") {
		for !p.is("]") {
			name, err := p.id()
			if err != nil {
				return as, err
			}
			if !p.is("=") {
				return as, fmt.Errorf("attribute %s has no value", name)
			}
			if as[name], err = p.id(); err != nil {
				return as, err
			}
			if !p.is(",") {
				p.is(";")
			}
		}
	}
	return as, nil
}

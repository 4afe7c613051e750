package source

// The text of a unit in parts: what stands outside of the bodies of functions, and each body.
//
// Idea: what a change of a text may change is told by its parts. Each outermost block of a preprocessed unit
// has a digest of its tokens with their places, one without, and the identifiers in it; all that stands
// outside has both digests, too. A block that is no body of a function (a structure, an initialiser), whose
// place several have (a macro's), or which may declare something that others see, is of the outside.
//
// Cost: linear in the tokens.

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"

	"magus/cfa"
	"magus/cfa/source/lex"
	"magus/cfa/source/preprocess"
)

// A digest of tokens.
type digest [sha256.Size]byte

// A block is what stands between an outermost brace and the one that closes it, with both.
type block struct {
	at            cfa.Pos
	placed, plain digest // with the places of its tokens, and without
	names         []string
	declares      bool // perhaps something that is seen outside of it
}

// unitParts are those of a unit.
type unitParts struct {
	placed, plain digest // of what stands outside of blocks
	blocks        []block
}

// A tokenHash is a digest that is being made.
type tokenHash struct {
	hash.Hash
	file string
	buf  []byte
}

func newTokenHash() *tokenHash { return &tokenHash{Hash: sha256.New()} }

func (h *tokenHash) write(t preprocess.Token, placed bool) {
	h.buf = h.buf[:0]
	if placed {
		if t.File != h.file {
			h.file = t.File
			h.buf = binary.AppendUvarint(append(h.buf, 0), uint64(len(t.File)))
			h.buf = append(h.buf, t.File...)
		}
		h.buf = binary.AppendUvarint(append(h.buf, 1), uint64(t.Line))
		h.buf = binary.AppendUvarint(h.buf, uint64(t.Col))
	}
	h.buf = binary.AppendUvarint(append(h.buf, 2, byte(t.Kind)), uint64(len(t.Text)))
	h.buf = append(h.buf, t.Text...)
	h.buf = binary.AppendUvarint(h.buf, uint64(len(t.From)))
	h.buf = append(h.buf, t.From...)
	_, _ = h.Write(h.buf) // a hash has no errors
}

func (h *tokenHash) sum() (d digest) {
	h.Sum(d[:0])
	return d
}

// unitPartsOf are the parts of a unit.
func unitPartsOf(tokens []preprocess.Token) *unitParts {
	p := &unitParts{}
	placed, plain := newTokenHash(), newTokenHash()
	for i := 0; i < len(tokens); i++ {
		placed.write(tokens[i], true)
		plain.write(tokens[i], false)
		if tokens[i].Is("{") {
			end := closing(tokens, i)
			p.blocks = append(p.blocks, blockOf(tokens[i:end]))
			i = end - 1
		}
	}
	p.placed, p.plain = placed.sum(), plain.sum()
	return p
}

// closing is behind the brace that closes the one at i.
func closing(tokens []preprocess.Token, i int) int {
	depth := 0
	for ; i < len(tokens); i++ {
		switch {
		case tokens[i].Is("{"):
			depth++
		case tokens[i].Is("}"):
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return i
}

// outwards are words with which a block may declare, or say, something that counts outside of it.
var outwards = map[string]bool{"extern": true, "static": true, "typedef": true, "asm": true,
	"__asm": true, "__asm__": true,
	"__attribute__": true, "__attribute": true, "_Thread_local": true, "thread_local": true, "__thread": true}

func blockOf(tokens []preprocess.Token) block {
	b := block{at: tokens[0].Pos()}
	placed, plain := newTokenHash(), newTokenHash()
	seen := map[string]bool{}
	record := 0 // 1: behind struct, union or enum; 2: behind its tag
	for _, t := range tokens {
		placed.write(t, true)
		plain.write(t, false)
		b.declares = b.declares || record > 0 && t.Is("{") || t.Kind == lex.Name && outwards[t.Text]
		switch {
		case t.Is("struct") || t.Is("union") || t.Is("enum"):
			record = 1
		case record == 1 && t.Kind == lex.Name:
			record = 2
		default:
			record = 0
		}
		if t.Kind == lex.Name && !seen[t.Text] {
			seen[t.Text] = true
			b.names = append(b.names, t.Text)
		}
	}
	b.placed, b.plain = placed.sum(), plain.sum()
	return b
}

package source

import "magus/cfa/source/lex"

// Comments are the comments of a C file, in their order. What looks like one within a string is none.
func Comments(text []byte) []lex.Comment { return lex.Comments(text, lex.Dialect{}) }

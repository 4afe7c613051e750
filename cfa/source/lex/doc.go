// Package lex makes preprocessing tokens of C source text (C11 5.1.1.2, translation phases 1 to 3).
//
// Trigraphs are replaced, spliced lines joined and comments left out; what is left is parted into names,
// numbers, character constants, strings, punctuators and header names, each with the place where it begins in
// the text. A raw string of GNU C keeps its text as it is. A line ends with a token of its own, since
// directives depend on it. [Comments] gives the comments.
//
//	l := lex.New([]byte("#define A 0x1'0 // ten\n"), lex.Dialect{})
//	l.Next() // punctuator #, at 1:1, the first of its line
//	l.Next() // name define
//
// # What is left out
//
// Keywords are names, the values of constants are not computed, and nothing is known of macros. Bytes that are
// no UTF-8 are part of names, comments and literals like any character beyond ASCII.
package lex

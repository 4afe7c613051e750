// Package reword writes constructs of C that the parser does not read, or reads as something else, in C that it reads.
//
// It works on the tokens that preprocessing leaves, so that strings, comments and macros that were not called hold
// nothing for it. [Table] has a row for each construct. A rewording changes nothing else, and a construct that
// cannot be reworded is refused at its place.
//
//	tokens, err := reword.Run(tokens) // u8"ab" is "ab", 1'000 is 1000, …
//
// What a rewording makes has the place of the construct.
//
// # What is left out
//
// Types and scopes are not known here: what depends on them is the lowering's, or is refused.
package reword

// Package preprocess does what stands in directives and replaces macros (C11 5.1.1.2, translation phase 4).
//
// [Run] reads the texts of a translation unit one after the other, as tokens of package lex, and gives the tokens
// that are left, each with the place that it has for the readers of the text: what a macro makes stands where
// the name of the outermost macro stands. Which files may be included and what pragmas mean is the caller's to
// say.
//
//	out := preprocess.Run(ctx, []preprocess.Text{{Name: "a.c", Bytes: text}}, preprocess.Config{})
//	out.Tokens // without directives
//	out.Faults // of the input
//
// Macros are replaced as GCC does where C leaves it open: a macro is not replaced within its own replacement,
// which ends where its last token has been read.
//
// # What is left out
//
// Assertions (#assert) and #embed are refused. Texts of tokens are as they were written: what C makes of
// literals is not looked at, but in the condition of an #if.
package preprocess

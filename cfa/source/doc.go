// Package source reads C: from the text of translation units to typed syntax.
//
// [Parse] preprocesses, parses and type checks the units by modernc.org/cc/v4 and
// links them by name into a [Program]. ABI tables, predefined macros and a dozen
// standard headers are our own, so that no compiler and no C library need be
// installed; which files may be included is the caller's to say.
//
//	program, err := source.Parse(ctx, []source.Source{
//		{Name: "a.c", Text: []byte("int f(void); int main(void) { return f(); }")},
//		{Name: "b.c", Text: []byte("int f(void) { return 1; }")},
//	}, source.Options{})
//	program.Procedures() // main, f
//
// The syntax is the library's. What it asks for again and again (operands,
// subexpressions, what an identifier names) is in walk.go.
//
// # Where the library is not trusted
//
//   - It follows the tree by recursion: texts and what macros make of them are
//     limited in depth before they are parsed (nesting.go, condition.go).
//   - It cannot be stopped and may panic: a unit is read beside the caller, who
//     does not wait when the context ends; a panic becomes an error with the
//     place (parse.go).
//   - It lays some structures out otherwise than GCC (packed.go), takes some
//     addresses for arrays (sizeof.go), types enumerations in its own way
//     (enumtype.go), heeds few attributes (attribute.go). What depends on
//     that is refused here, or asked about by the lowering.
//   - It does not compare the units with each other (compatible.go).
//
// Positions are those of the files as they are: line directives are ignored,
// but for what a preprocessor wrote, where they are followed.
//
// # What is left out
//
// The meaning of expressions and statements: that is package lower's. Variables
// that code could reach without a name (asm) are noted, not followed.
//
// Errors of the input are [cfa.Errors] with file:line:col.
package source

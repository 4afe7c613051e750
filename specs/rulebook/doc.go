// Package rulebook holds the rules that come along, as text in the specification language.
//
// Each file has one rule. The comment at its head says in its first sentence what the rule asks for, and then from
// which manual it is, and what is taken as granted. A C file of its name has an example that keeps it and one
// that breaks it.
//
//	for _, e := range rulebook.Entries() {
//		fmt.Println(e.Name, e.Summary())
//	}
//
// Left out: which rules are about a program, which follows from the functions that it calls.
package rulebook

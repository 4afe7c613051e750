// Package phrase holds the small phrases of the messages: numbers with their
// noun, lists that are cut short, and suggestions for names that were mistyped.
//
//	phrase.Plural(3, "state")                                  // 3 states
//	phrase.Few([]string{"a", "b", "c"}, 2)                     // a, b and 1 more
//	phrase.Suggest("stpe", []string{"step", "stats", "state"}) // ; did you mean step?
//
// Left out: anything that knows what the words are about.
package phrase

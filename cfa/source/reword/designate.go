package reword

import "magus/cfa/source/preprocess"

// Designate writes designators before values: of the members with some names, by the places of the values.
func Designate(tokens []preprocess.Token, names map[int]string) []preprocess.Token {
	r := rewriter{in: tokens}
	for i := range tokens {
		if name, ok := names[i]; ok {
			r.replace(i, i, made("."+name+" =", tokens[i])...)
		}
	}
	return r.result()
}

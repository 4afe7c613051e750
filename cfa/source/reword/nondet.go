package reword

// Functions of verifiers that give any floating-point number, where nothing declares them.
//
// Idea: C90 takes a function that is not declared to return int, as the parser does; whoever calls nondet_double
// means any double, which has all values that the int would have. So it is declared by its name, if it is called
// within functions only and no declaration of a block is seen.
//
// Cost: linear in the tokens.

import (
	"slices"

	"magus/cfa/source/lex"
	"magus/cfa/source/preprocess"
)

// anyNumbers are the types of the results of such functions by their names, which are [anyNumberNames].
var anyNumbers = map[string]string{
	"nondet_float": "float", "nondet_double": "double",
	"__VERIFIER_nondet_float": "float", "__VERIFIER_nondet_double": "double",
}

func anyNumberNames() []string {
	return []string{"nondet_float", "nondet_double", "__VERIFIER_nondet_float", "__VERIFIER_nondet_double"}
}

// undeclaredNumbers declares them.
func undeclaredNumbers(r *rewriter) {
	called, declared, depth := map[string]preprocess.Token{}, map[string]bool{}, 0
	for i, t := range r.in {
		switch {
		case t.Is("{"):
			depth++
		case t.Is("}"):
			depth--
		case t.Kind != lex.Name || anyNumbers[t.Text] == "":
		case depth == 0 || i == 0 || isTypeEnd(r.in[i-1]):
			declared[t.Text] = true
		default:
			if _, before := called[t.Text]; !before {
				called[t.Text] = t
			}
		}
	}
	for _, name := range anyNumberNames() {
		if at, ok := called[name]; ok && !declared[name] {
			r.before = append(r.before, made(anyNumbers[name]+" "+name+"();", at)...)
		}
	}
}

// isTypeEnd reports whether a token may be the last one before a name that is declared.
func isTypeEnd(t preprocess.Token) bool {
	return t.Kind == lex.Name && !slices.Contains([]string{"return", "else", "do", "case", "sizeof"}, t.Text)
}

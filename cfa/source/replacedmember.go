package source

// Members of a union that are given without a name and then with one: { 8, .f = 2.5f }.
//
// C11 6.7.9p17 and p19: the designator begins anew. The C library takes what it designates for one value too many; of
// several designated members it reads each. So the unit is read once without what stands before the designator, which
// tells the type of the list, and then with the name of the first member before that. Only in the list of a union does
// the library stop before a designator.
// Deviations: the message stays where a macro makes several such lists at one place, or the first member has no name.
//
// Cost: reading the unit once more for each level of such lists in each other, up to ten times, and then once.

import (
	"slices"
	"strings"

	"magus/cfa/source/preprocess"
	"magus/cfa/source/reword"

	"modernc.org/cc/v4"
)

const (
	tooMany      = ": too many items in initializer"
	mostReplaced = 10
)

// withFirstNamed is the tree of a unit that names the first members of unions, if that is what an error is about.
func (u *unit) withFirstNamed(ast *cc.AST, err error) (*cc.AST, error) {
	if err == nil || !strings.Contains(err.Error(), tooMany) {
		return ast, err
	}
	without, last := u.out.Tokens, err
	var places []string // of the designators
	var typed *cc.AST
	for range mostReplaced {
		before := len(places)
		for _, place := range tooManyAt(last) {
			if open, at := listBefore(without, place); at > 0 {
				without = slices.Delete(slices.Clone(without), open+1, at)
				places = append(places, place)
			}
		}
		if len(places) == before {
			return ast, err
		}
		if typed, last = u.translateTokens(without); last == nil {
			break
		}
	}
	if last != nil {
		return ast, err
	}
	names := map[int]string{}
	for place, name := range firstMembers(typed, places) {
		open, at := listBefore(u.out.Tokens, place)
		if at < 0 || name == "" {
			return ast, err
		}
		names[open+1] = name
	}
	out := *u.out
	out.Tokens = reword.Designate(u.out.Tokens, names)
	named, failed := u.translateTokens(out.Tokens)
	if failed != nil {
		return ast, err
	}
	u.out, u.sources = &out, u.sourcesOf(out.Tokens)
	return named, nil
}

// translateTokens runs the library over the unit with other tokens.
func (u *unit) translateTokens(tokens []preprocess.Token) (*cc.AST, error) {
	return cc.Translate(u.cfg, u.sourcesOf(tokens))
}

// sourcesOf are the sources with other tokens of the unit.
func (u *unit) sourcesOf(tokens []preprocess.Token) []cc.Source {
	sources := slices.Clone(u.sources)
	last := len(sources) - 1
	sources[last].Value = written(sources[last].Name, tokens)
	return sources
}

// tooManyAt are the places of values of which the library says that they are too many.
func tooManyAt(err error) (places []string) {
	for _, line := range strings.Split(err.Error(), "\n") {
		line = strings.TrimSpace(reOrigin().ReplaceAllString(line, ""))
		if place, is := strings.CutSuffix(line, tooMany); is {
			places = append(places, place)
		}
	}
	return places
}

// listBefore is the designator at a place, and the brace that opens its list; at is -1 where there is not one.
func listBefore(tokens []preprocess.Token, place string) (open, at int) {
	at = -1
	for i, t := range tokens {
		if t.Is(".") && t.Pos().String() == place {
			if at >= 0 {
				return 0, -1
			}
			at = i
		}
	}
	for depth, open := 0, at-1; open >= 0; open-- {
		switch t := tokens[open]; {
		case t.Is("}") || t.Is(")") || t.Is("]"):
			depth++
		case depth > 0 && (t.Is("(") || t.Is("[") || t.Is("{")):
			depth--
		case t.Is("{"):
			return open, at
		}
	}
	return 0, -1
}

// firstMembers are the names of the first members of the unions whose lists begin at some places now; "" where it has
// none, or the list is not found.
func firstMembers(ast *cc.AST, places []string) map[string]string {
	names := map[string]string{}
	for _, p := range places {
		names[p] = ""
	}
	Inspect(ast.TranslationUnit, func(n any) bool {
		list, is := n.(*cc.InitializerList)
		if !is || list.Designation == nil {
			return true
		}
		place := Position(list.Position()).String()
		if _, asked := names[place]; !asked || list.Type() == nil || list.Type().Kind() != cc.Union {
			return true
		}
		for _, m := range Members(list.Type()) {
			if m.Name() != "" || !m.IsBitfield() {
				names[place] = m.Name()
				break
			}
		}
		return true
	})
	return names
}

package repl

import (
	"slices"
	"strconv"
	"strings"

	"magus/cegar"
	"magus/cfa"
)

// A kind of argument, for completion.
type kind int

const (
	kindCommand kind = iota
	kindFile
	kindSource // a file that load reads
	kindComponent
	kindLocation
	kindAction
	kindPredicate
	kindState
	kindBlock
	kindMoment
	kindBreak
	kindOption
	kindValue
	kindStrategy
	kindEvent
	kindClaim
	kindClaims // a claim, or all
	kindObject
	kindFlag
	kindDefinition
	kindPred
	kindSimulate
	kindCondition
	kindLTS
	kindLTSObject
	kindFilter // of mp and ma
	kindWatch
)

// Complete gives what the last word of the text before the cursor can be, whole
// words in order, and that word. Of a word that begins with a quote they are what
// stands behind it, with the closing quote.
func (sh *Shell) Complete(text string) (candidates []string, last string) {
	from, quote := lastWord(text)
	last = text[from:]
	before := strings.Fields(strings.TrimSuffix(text[:from], quote))
	typed := last
	if quote == "" {
		typed = strings.ReplaceAll(last, `\ `, " ")
	}
	for _, s := range sh.continuations(before, typed) {
		switch {
		case quote == "" && !strings.ContainsAny(s, `{'"`):
			s = strings.ReplaceAll(s, " ", `\ `)
		case quote != "" && !strings.HasSuffix(s, "/"):
			s += quote
		}
		if strings.HasPrefix(s, last) {
			candidates = append(candidates, s)
		}
	}
	return candidates, last
}

// lastWord is where the last word of a text begins, behind its quote if it has
// one.
func lastWord(text string) (from int, quote string) {
	for i, r := range text {
		switch {
		case quote == "" && i > 0 && text[i-1] == '\\':
		case quote != "":
			if string(r) == quote {
				quote = ""
			}
		case (r == '"' || r == '\'') && i == from:
			quote, from = string(r), i+1
		case r == ' ' || r == '\t':
			from = i + 1
		}
	}
	return from, quote
}

// continuations are what can stand behind the words before, beginning with last.
func (sh *Shell) continuations(before []string, last string) []string {
	var all []string
	switch {
	case len(before) == 0:
		all = sh.firstWords()
	case before[len(before)-1] == ">" || before[len(before)-1] == ">>":
		all = sh.host.Files(last)
	case before[len(before)-1] == "|":
		all = filterNames()
	case strings.HasPrefix(before[0], "!"):
		all = sh.host.Files(last)
	default:
		c, err := sh.find(before[0])
		switch {
		case err != nil:
		case strings.HasPrefix(last, "-") && slices.Contains(c.kinds, kindFlag):
			all = drawFlags()
		default:
			all = sh.arguments(c, before[1:], last)
		}
	}
	all = slices.DeleteFunc(slices.Clone(all), func(s string) bool { return !strings.HasPrefix(s, last) })
	slices.Sort(all)
	return slices.Compact(all)
}

// sources are the files whose names begin with prefix and that load reads, and
// folders.
func (sh *Shell) sources(prefix string) []string {
	return slices.DeleteFunc(slices.Clone(sh.host.Files(prefix)), func(name string) bool {
		ends := func(suffix string) bool { return strings.HasSuffix(name, suffix) }
		return !slices.ContainsFunc([]string{"/", ".c", ".i", ".pp", ".spec"}, ends)
	})
}

// firstWords are the words that a line can begin with.
func (sh *Shell) firstWords() []string {
	all := []string{"elif", "else", "end"}
	return append(all, sh.names()...)
}

// arguments gives what the next argument of a command can be.
func (sh *Shell) arguments(c *Command, given []string, last string) []string {
	if len(c.kinds) == 0 {
		return nil
	}
	n := len(given)
	// A component may be left out where there is only one.
	if i := slices.Index(c.kinds, kindComponent); i >= 0 && n >= i && len(sh.componentNames()) == 1 &&
		(n == i || given[i] != sh.componentNames()[0]) {
		var all []string
		if n == i {
			all = sh.values(kindComponent, given, last)
		}
		return append(all, sh.values(kindAt(c.kinds, n+1), given, last)...)
	}
	return sh.values(kindAt(c.kinds, n), given, last)
}

// kindAt is the kind of argument number n; the last kind repeats.
func kindAt(kinds []kind, n int) kind { return kinds[min(n, len(kinds)-1)] }

// values lists what an argument of a kind can be.
func (sh *Shell) values(k kind, given []string, last string) []string {
	switch k {
	case kindCommand:
		return sh.names()
	case kindFile:
		return sh.host.Files(last)
	case kindSource:
		return sh.sources(last)
	case kindOption:
		return sh.settingNames()
	case kindValue:
		return sh.settingValues(given[0])
	case kindStrategy:
		return strategies()
	case kindEvent:
		return sh.eventWords(given)
	case kindObject:
		return Objects()
	case kindFlag:
		return drawFlags()
	case kindPred:
		return []string{"add", "drop"}
	case kindSimulate:
		return []string{"end", "ma", "mp", "product", "random", "run", "spec", "undo"}
	case kindCondition:
		return conditionNames()
	case kindLTS:
		return []string{"compare", "compose", "convert", "info", "minimize", "trace"}
	case kindLTSObject:
		return append(sh.objects(), sh.host.Files(last)...)
	}
	if sh.session == nil {
		return nil
	}
	return sh.ofSession(k, given)
}

// numbersBelow are the numbers from 0 to n-1, not too many of them.
func numbersBelow(n int) []string {
	all := make([]string, min(n, 2000))
	for i := range all {
		all[i] = strconv.Itoa(i)
	}
	return all
}

// ofSession lists what the session has of a kind.
func (sh *Shell) ofSession(k kind, given []string) []string {
	v := sh.session.View()
	switch k {
	case kindComponent:
		return sh.componentNames()
	case kindMoment:
		return numbersBelow(len(sh.moments))
	case kindClaim, kindClaims:
		var all []string
		if k == kindClaims {
			all = append(all, "all")
		}
		for i := range sh.claims {
			all = append(all, strconv.Itoa(i+1))
		}
		return all
	case kindBreak:
		all := []string{"all"}
		for _, b := range sh.breaks {
			all = append(all, strconv.Itoa(b.number))
		}
		return all
	case kindDefinition:
		return sh.project.Definitions()
	case kindWatch:
		all := []string{"all"}
		for _, w := range sh.watches {
			all = append(all, strconv.Itoa(w.number))
		}
		return all
	case kindFilter:
		switch {
		case len(given) > 0 && given[len(given)-1] == "does":
			return sh.ofSession(kindAction, given)
		case len(given) > 0 && given[len(given)-1] == "at":
			return sh.ofComponent(kindLocation, v, given)
		case len(given) > 0 && given[len(given)-1] == "with":
			return nil
		}
		return []string{"at", "does", "with"}
	case kindAction:
		var all []string
		for _, c := range v.Components {
			if c.MP != nil {
				all = append(all, quoted(v.Actions.Names(c.MP.LTS.Alphabet()))...)
			}
		}
		return all
	}
	return sh.ofComponent(k, v, given)
}

// ofComponent lists what a component has of a kind.
func (sh *Shell) ofComponent(k kind, v cegar.View, given []string) []string {
	comp := -1
	for i, name := range sh.componentNames() {
		if len(v.Components) == 1 || slices.Contains(given, name) {
			comp = i
		}
	}
	if comp < 0 || comp >= len(v.Components) {
		return nil
	}
	c := v.Components[comp]
	switch {
	case k == kindLocation:
		return numbersBelow(len(c.CFA.Locs))
	case k == kindState && c.MP != nil:
		return numbersBelow(c.MP.LTS.NumStates())
	case k == kindBlock && c.MA != nil:
		return numbersBelow(c.MA.NumBlocks())
	case k == kindPredicate:
		if len(given) > 0 && given[0] == "drop" {
			var all []string
			for _, i := range c.Chosen {
				all = append(all, strconv.Itoa(i))
			}
			return all
		}
		var all []string
		for _, p := range procedures(c) {
			all = append(all, "@"+p)
		}
		return append(all, inScope(c, given)...)
	}
	return nil
}

// inScope are the variables that an expression can name: those of the component's procedure, or
// of the one that is given behind @, and globals.
func inScope(c cegar.ComponentView, given []string) []string {
	proc := c.CFA.Frames[0].Proc
	for _, word := range given {
		if name, ok := strings.CutPrefix(word, "@"); ok {
			proc = name
		}
	}
	var all []string
	for _, x := range c.CFA.Vars {
		of := x.Proc // of a static local
		if x.Frame >= 0 {
			of = c.CFA.Frames[x.Frame].Proc
		}
		if (of == "" || of == proc) && x.Kind != cfa.Temp && isName(x.Name) {
			all = append(all, x.Name)
		}
	}
	return all
}

// settingNames are the names of the options.
func (sh *Shell) settingNames() []string {
	var all []string
	for _, s := range sh.settings() {
		all = append(all, s.name)
	}
	return all
}

// settingValues are the values that an option can have, if they are few.
func (sh *Shell) settingValues(name string) []string {
	for _, s := range sh.settings() {
		if s.name == name {
			return s.choices
		}
	}
	return nil
}

// eventWords are the words that can follow in the name of an event.
func (sh *Shell) eventWords(given []string) []string {
	switch {
	case len(given) == 1 && given[0] == "component":
		return sh.componentNames()
	case len(given) == 1 && given[0] == "iteration":
		return nil
	}
	var all []string
	for _, name := range eventNames() {
		words := strings.Fields(name)
		if len(words) > len(given) && slices.Equal(words[:len(given)], given) {
			all = append(all, words[len(given)])
		}
	}
	return all
}

package repl

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"magus/app/draw"
	"magus/cfa"
	"magus/engine/cegar"
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
	kindBranch
	kindBreak
	kindOption
	kindValue
	kindStrategy
	kindEvent
	kindClaim
	kindClaims // a claim, or all
	kindObject // with its name and flags
	kindDefinition
	kindPred
	kindExpr   // over the variables of a procedure
	kindGlobal // over globals
	kindSimulate
	kindCondition
	kindLTS
	kindLTSObject
	kindFilter // of mp and ma
	kindWatch
	kindFolder
)

// spans reports whether arguments of a kind are more than one word.
func (k kind) spans() bool {
	return slices.Contains([]kind{kindEvent, kindObject, kindPredicate, kindExpr, kindGlobal, kindSimulate,
		kindCondition}, k)
}

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
	for _, s := range sh.completion.continuations(before, typed) {
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

// completion offers how a line may go on.
type completion struct {
	*loaded
	host      *Host
	table     commandTable
	history   *history
	watchlist *watchlist
	stepper   *stepper
	objects   *objects
	settings  *settings
}

// continuations are what can stand behind the words before, beginning with last.
func (sh *completion) continuations(before []string, last string) []string {
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
	case slices.Contains(before, "|"): // what a filter looks for
	default:
		if c, err := sh.table.find(before[0]); err == nil {
			all = sh.arguments(c, before[1:], last)
		}
	}
	all = slices.DeleteFunc(slices.Clone(all), func(s string) bool { return !strings.HasPrefix(s, last) })
	slices.Sort(all)
	return slices.Compact(all)
}

// sources are the files whose names begin with prefix and that load reads, and
// folders.
func (sh *completion) sources(prefix string) []string {
	return slices.DeleteFunc(slices.Clone(sh.host.Files(prefix)), func(name string) bool {
		ends := func(suffix string) bool { return strings.HasSuffix(name, suffix) }
		return !slices.ContainsFunc([]string{"/", ".c", ".i", ".pp", ".spec"}, ends)
	})
}

// firstWords are the words that a line can begin with.
func (sh *completion) firstWords() []string {
	all := []string{"elif", "else", "end"}
	return append(all, sh.table.names()...)
}

// arguments gives what the next argument of a command can be.
func (sh *completion) arguments(c *Command, given []string, last string) []string {
	n := len(given)
	// A component may be left out where there is only one.
	if i := slices.Index(c.kinds, kindComponent); i >= 0 && n >= i && len(sh.componentNames()) == 1 &&
		(n == i || given[i] != sh.componentNames()[0]) {
		var all []string
		if n == i {
			all = sh.values(kindComponent, given, last)
		}
		return append(all, sh.argument(c, n+1, given, last)...)
	}
	return sh.argument(c, n, given, last)
}

// argument gives what argument number n of a command can be. The last one repeats where the help
// shows it so, or where it is more than one word.
func (sh *completion) argument(c *Command, n int, given []string, last string) []string {
	end := len(c.kinds) - 1
	switch {
	case n <= end:
		return sh.values(c.kinds[n], given, last)
	case end >= 0 && (c.kinds[end].spans() || strings.Contains(c.Args, "...")):
		return sh.values(c.kinds[end], given, last)
	}
	return nil
}

// values lists what an argument of a kind can be.
func (sh *completion) values(k kind, given []string, last string) []string {
	switch k {
	case kindCommand:
		return sh.table.names()
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
	case kindFolder:
		return slices.DeleteFunc(slices.Clone(sh.host.Files(last)), func(name string) bool {
			return !strings.HasSuffix(name, "/")
		})
	case kindObject:
		return sh.objectWords(given)
	case kindPred:
		return []string{"add", "drop"}
	case kindSimulate:
		return sh.walkWords(given)
	case kindCondition:
		return sh.conditionWords(given)
	case kindLTS:
		return []string{"check-certificate", "compare", "compose", "convert", "info", "minimize", "simulate", "trace"}
	case kindLTSObject:
		return append(sh.objects.names(), sh.host.Files(last)...)
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
func (sh *completion) ofSession(k kind, given []string) []string {
	v := sh.session.View()
	switch k {
	case kindComponent:
		return sh.componentNames()
	case kindMoment:
		return numbersBelow(len(sh.history.moments))
	case kindBranch:
		all := []string{"drop"}
		for _, w := range sh.history.branches.all() {
			all = append(all, strconv.Itoa(w.number))
		}
		return all
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
		for _, b := range sh.stepper.breaks {
			all = append(all, strconv.Itoa(b.number))
		}
		return all
	case kindDefinition:
		return sh.project.Definitions()
	case kindWatch:
		all := []string{"all"}
		for _, w := range sh.watchlist.watches {
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
func (sh *completion) ofComponent(k kind, v cegar.View, given []string) []string {
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
	case k == kindExpr:
		return inScope(c, given)
	case k == kindGlobal:
		return variables(c, "")
	case k == kindPredicate:
		return predicateWords(c, given)
	}
	return nil
}

// predicateWords are what pred drop and pred add take: the numbers of those that are chosen; procedures and
// variables.
func predicateWords(c cegar.ComponentView, given []string) (all []string) {
	if given[0] == "drop" {
		for _, i := range c.Chosen {
			all = append(all, strconv.Itoa(i))
		}
		if slices.Contains(all, given[len(given)-1]) {
			return nil
		}
		return all
	}
	if !slices.ContainsFunc(given, func(word string) bool { return strings.HasPrefix(word, "@") }) {
		for _, p := range procedures(c) {
			all = append(all, "@"+p)
		}
	}
	return append(all, inScope(c, given)...)
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
	return variables(c, proc)
}

// variables are those of a procedure, and globals.
func variables(c cegar.ComponentView, proc string) (all []string) {
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

// objectWords are the words that can follow in the name of what is drawn, with its flags.
func (sh *completion) objectWords(given []string) []string {
	if len(given) == 0 {
		return Objects()
	}
	switch {
	case given[len(given)-1] == "--layout":
		return []string{string(draw.Own), string(draw.Dot)}
	case slices.Contains(given[max(0, len(given)-2):], "--around"):
		return nil
	}
	all := slices.DeleteFunc(drawFlags(), func(flag string) bool { return slices.Contains(given, flag) })
	if len(given) > 1 || sh.session == nil {
		return all
	}
	switch names := sh.componentNames(); {
	case given[0] == "spec":
		return append(all, sh.project.Definitions()...)
	case given[0] == "product" || !slices.Contains(Objects(), given[0]):
		return all
	case len(names) > 1:
		return names
	default:
		return append(all, names...)
	}
}

// walkWords are the words that can follow behind simulate.
func (sh *completion) walkWords(given []string) []string {
	switch {
	case len(given) == 0:
		return []string{"end", "ma", "mp", "product", "random", "run", "spec", "undo"}
	case len(given) > 1 || sh.session == nil:
		return nil
	case given[0] == "spec":
		return sh.project.Definitions()
	case slices.Contains([]string{"ma", "mp", "run"}, given[0]):
		return sh.componentNames()
	}
	return nil
}

// conditionWords are the words that can follow in a condition.
func (sh *completion) conditionWords(given []string) []string {
	for len(given) > 0 && given[0] == "not" {
		given = given[1:]
	}
	n := len(given)
	if n == 0 {
		return conditionNames()
	}
	is := func(words ...string) bool { return slices.Equal(given, words) }
	counted := given[0] == "iterations" && n == 1 || given[0] == "predicates" && n == 2 || is("states", "product") ||
		given[0] == "states" && n == 3 && given[1] != "product"
	switch {
	case counted:
		return operators()
	case is("states"):
		return []string{"ma", "mp", "product"}
	case is("predicates"), is("states", "ma"), is("states", "mp"):
		return sh.componentNames()
	case given[0] == "phase":
		return following(append(slices.Collect(maps.Keys(phaseNames())), cegar.Finished.String()), given[1:])
	case given[0] == "trace" && sh.session != nil:
		return sh.ofSession(kindAction, given)
	}
	return nil
}

// following are the words that can follow in names of several words.
func following(names, given []string) (all []string) {
	for _, name := range names {
		words := strings.Fields(name)
		if len(words) > len(given) && slices.Equal(words[:len(given)], given) {
			all = append(all, words[len(given)])
		}
	}
	return all
}

// settingNames are the names of the options.
func (sh *completion) settingNames() []string {
	var all []string
	for _, s := range sh.settings.all() {
		all = append(all, s.name)
	}
	return all
}

// settingValues are the values that an option can have, if they are few.
func (sh *completion) settingValues(name string) []string {
	for _, s := range sh.settings.all() {
		if s.name == name {
			return s.choices
		}
	}
	return nil
}

// eventWords are the words that can follow in the name of an event.
func (sh *completion) eventWords(given []string) []string {
	switch {
	case len(given) == 1 && given[0] == "component":
		return sh.componentNames()
	case len(given) == 1 && given[0] == "action":
		return sh.actionNames()
	case len(given) == 1 && given[0] == "iteration":
		return nil
	}
	return following(eventNames(), given)
}

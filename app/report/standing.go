package report

import (
	"fmt"
	"slices"
	"strings"
)

// Who stands still at the end of a run, and who waits for whom: in one line for each, and the cycle of those
// that wait for each other. Where there is no cycle it is said what comes at the end of the waiting: one that
// has ended, or what nobody will do.

// writeStanding writes where the components stand still.
func writeStanding(x *Counterexample, name string, head func(name string, words []string)) {
	for _, s := range x.Standing {
		head(name, strings.Fields(s.String()))
		name = ""
	}
}

// writeDeadlock writes where the components stand still, and who waits for whom.
func writeDeadlock(x *Counterexample, head func(name string, words []string)) {
	if !x.ofThreads() || len(x.Actions) > 0 {
		head("actions", orNothing(x.Actions))
	}
	if len(x.Running) > 0 {
		head("running", commas(x.Running))
	}
	writeStanding(x, "deadlock", head)
	switch name, text := "cycle", x.CycleText(); {
	case text == "":
	case x.Cycle == nil:
		head("no cycle", strings.Fields(text))
	default:
		head(name, strings.Fields(text))
	}
}

// ofThreads reports whether those that stand still are threads.
func (x *Counterexample) ofThreads() bool {
	return slices.ContainsFunc(x.Standing, func(s Stand) bool { return s.Object != "" })
}

// CycleText says who waits for whom in which line: those that wait for each other, or else what the first one
// that waits comes to. It is empty where nothing is known.
func (x *Counterexample) CycleText() string {
	var all []string
	if x.Cycle != nil {
		for i, name := range x.Cycle {
			all = append(all, fmt.Sprintf("%s waits for %s%s", name, x.Cycle[(i+1)%len(x.Cycle)], x.stand(name).at()))
		}
		return strings.Join(all, ", ")
	}
	for _, first := range x.Standing {
		if first.Ended {
			continue
		}
		met := []string{}
		for s := &first; ; {
			whom := s.whom()
			met = append(met, s.Component)
			switch next := x.stand(whom); {
			case s.Ended:
				return strings.Join(append(all, s.Component+" "+s.end()), ", ")
			case whom == "":
				return strings.Join(append(all, s.Component+" waits for what nobody does"+s.at()), ", ")
			case next == nil || slices.Contains(met, whom):
				return ""
			default:
				all = append(all, fmt.Sprintf("%s waits for %s%s", s.Component, whom, s.at()))
				s = next
			}
		}
	}
	return ""
}

// stand is where a component stands, nil if that is not known.
func (x *Counterexample) stand(name string) *Stand {
	if i := slices.IndexFunc(x.Standing, func(s Stand) bool { return s.Component == name }); i >= 0 {
		return &x.Standing[i]
	}
	return nil
}

// whom is the first of those that it waits for, "" if there is none.
func (s *Stand) whom() string {
	for _, o := range s.Offers {
		if len(o.Without) > 0 {
			return o.Without[0]
		}
	}
	if len(s.Holders) > 0 {
		return s.Holders[0]
	}
	return ""
}

// at is the place in brackets.
func (s *Stand) at() string {
	if s == nil || s.Place == nil {
		return ""
	}
	return fmt.Sprintf(" (%s:%d)", s.Place.File, s.Place.Line)
}

// end says how a component has come to its end: one that has returned is at no place, another one called exit or abort.
func (s *Stand) end() string {
	if s.Place != nil {
		return "has stopped" + s.at()
	}
	return "has ended"
}

// Waits says what it waits for, if it has not ended, without its name and place.
func (s *Stand) Waits() string {
	if s.Object != "" {
		held := ""
		if len(s.Holders) > 0 && !strings.HasPrefix(s.Object, "the end of ") {
			held = " that " + strings.Join(s.Holders, " and ") + " has"
			if len(s.Holders) > 1 {
				held = strings.TrimSuffix(held, "has") + "have"
			}
		}
		return "waits for " + s.Object + held
	}
	if s.Offers == nil {
		return "waits for ever"
	}
	var all []string
	for _, o := range s.Offers {
		text := o.Action
		if len(o.Without) > 0 {
			text += " with " + strings.Join(o.Without, " and ")
		}
		all = append(all, text)
	}
	return "waits for " + strings.Join(all, ", or for ")
}

// String says what the component waits for, and who does not offer it.
func (s *Stand) String() string {
	if s.Ended {
		return s.Component + " " + s.end()
	}
	return s.Component + " " + s.Waits() + s.at()
}

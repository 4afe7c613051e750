package harness

// Components that get stuck, executed at once.
//
// Idea: each component is a process, for components share no memory, and copies run the same code with
// variables of their own; threads would have to be given a copy of each variable by changes to the text. The
// processes meet in memory that they share: who comes to an action waits there until all that take part in it
// have come. The order of the meetings is that of the run. Behind its part of the run each offers what it
// waits for. A watchdog, the process that began them, looks whether all stand still, and whether what they
// offer lets any of them go on. So that nobody goes on is executed, and not only said.
//
// Cost: a meeting is waited for by looking at a number again and again.

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
)

//go:embed c/together.c
var togetherRuntime string

// oneByOne stands for it where components run one after the other.
const oneByOne = "static void magus_note(const char *text, unsigned long n) { }\n" +
	"static void magus_meet(int action) { }\n" +
	"static void magus_offer(const char *what) { }\nstatic int magus_at_once(void) { return 0; }\n"

// mostOffers is how many actions a component offers at once; where one offers more, components run one after the other.
const mostOffers = 64

// together reports whether the components are executed at once.
func (w *writer) together() bool {
	if w.replay.Meetings == nil {
		return false
	}
	for _, p := range w.replay.Components {
		if p.Stand == nil || len(p.Stand.Offers) > mostOffers {
			return false
		}
	}
	return true
}

// meetings writes who meets whom, as tables.
func (w *writer) meetings(b *strings.Builder) {
	if !w.together() {
		b.WriteString("enum { magus_together = 0 };\n")
		return
	}
	fmt.Fprintf(b, "enum { magus_together = 1, magus_meetings = %d, magus_most_offers = %d };\n",
		len(w.replay.Meetings), mostOffers)
	of, counts := make([][]string, len(w.replay.Components)), []string{}
	for n, meeting := range w.replay.Meetings {
		counts = append(counts, strconv.Itoa(len(meeting)))
		for _, i := range meeting {
			of[i] = append(of[i], strconv.Itoa(n))
		}
	}
	fmt.Fprintf(b, "static const int magus_taking[] = { %s }; /* how many take part in each meeting */\n",
		strings.Join(append(counts, "0"), ", "))
	var names []string
	for i, list := range of {
		names = append(names, fmt.Sprintf("magus_meetings%d", i))
		fmt.Fprintf(b, "static const int %s[] = { %s };\n", names[i], strings.Join(append(list, "-1"), ", "))
	}
	fmt.Fprintf(b, "static const int *const magus_meetings_of[] = { %s };\n", strings.Join(names, ", "))
	b.WriteString("/* Who takes part in an action: one of each group. -1 ends a group, -2 all. */\n")
	names = nil
	for i, s := range w.replay.Shared {
		var list []string
		for _, g := range s.Groups {
			for _, c := range g {
				list = append(list, strconv.Itoa(c))
			}
			list = append(list, "-1")
		}
		fmt.Fprintf(b, "static const int magus_groups%d[] = { %s };\n", i, strings.Join(append(list, "-2"), ", "))
		names = append(names, fmt.Sprintf("{ %s, magus_groups%d }", quote(s.Action), i))
	}
	fmt.Fprintf(b, "static const struct { const char *action; const int *groups; } magus_shared_actions[] = { %s };\n",
		strings.Join(append(names, "{ 0, 0 }"), ", "))
}

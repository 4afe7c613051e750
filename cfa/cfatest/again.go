package cfatest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// Again is a random program in which memory is freed and allocated again, or, with handles, threads are joined and
// created again, and which compares pointers, or handles, also those of what has ended. It computes a number that
// depends on which address, or handle, is given out once more.
type Again struct {
	body string
	head string
	// Fitting are the numbers that it may compute where what is given out again is no larger than what was there,
	// and All those where it may have any size; both in order.
	Fitting, All []int
}

// Claim is the program with the claim that it never computes a number.
func (a *Again) Claim(number int) string {
	const form = "%sextern void reach_error(void);\nint main(void)\n{\n%s" +
		"\tif (r == %d)\n\t\treach_error();\n\treturn 0;\n}\n"
	return fmt.Sprintf(form, a.head, a.body, number)
}

// Other is a number that the program never computes.
func (a *Again) Other() int { return a.All[len(a.All)-1] + 1 }

// NewAgain is the program of a seed.
func NewAgain(seed uint64, handles bool) *Again {
	g := &again{Rand: rand.New(rand.NewPCG(seed, 29)), handles: handles, text: &strings.Builder{}}
	g.write()
	a := &Again{head: g.head(), body: g.text.String()}
	for _, fitting := range []bool{true, false} {
		found := map[int]bool{}
		g.execute(0, againState{next: 1, size: map[int]int{}, live: map[int]bool{}, holds: map[int]int{}}, fitting, found)
		var all []int
		for n := range found {
			all = append(all, n)
		}
		slices.Sort(all)
		if fitting {
			a.Fitting = all
		} else {
			a.All = all
		}
	}
	return a
}

// againNames are the variables.
var againNames = [...]string{"a", "b", "c"}

// An againStep is a statement, by what it does.
type againStep struct {
	does byte // n: allocate; f: free; c: copy; e: compare; s: store; l: load; r: realloc
	x, y int  // variables
	n    int  // a size, or a number that is stored
}

// again writes a program, and knows of each variable which allocation it is of.
type again struct {
	*rand.Rand
	handles bool
	text    *strings.Builder
	steps   []againStep
	of      [len(againNames)]int // 0: none
	made    int
	ended   map[int]bool
	stored  map[int]bool
}

func (g *again) head() string {
	if g.handles {
		return "#include <pthread.h>\nstatic void *f(void *p) { return 0; }\n"
	}
	return "#include <stdlib.h>\n#include <string.h>\n"
}

func (g *again) line(format string, args ...any) { fmt.Fprintf(g.text, "\t"+format+"\n", args...) }

// isLive reports whether a variable is of something that has not ended.
func (g *again) isLive(x int) bool { return g.of[x] > 0 && !g.ended[g.of[x]] }

// write writes statements at random, of those that are defined whatever the addresses are.
func (g *again) write() {
	g.ended, g.stored = map[int]bool{}, map[int]bool{}
	if g.handles {
		g.line("pthread_t a = 0, b = 0, c = 0;\n\tint r = 0;")
	} else {
		g.line("int *a = 0, *b = 0, *c = 0, r = 0;")
	}
	compared, most := 0, 2
	for len(g.steps) < 14 && (compared < most || g.made < 3) {
		s := againStep{x: g.IntN(len(againNames)), y: g.IntN(len(againNames))}
		switch k := g.IntN(10); {
		case k < 3 && g.made < 4 && !g.isLive(s.x):
			s.does, s.n = 'n', []int{4, 4, 4, 8}[g.IntN(4)]
		case k < 6 && g.isLive(s.x):
			s.does = 'f'
		case k == 6 && s.x != s.y && g.of[s.y] > 0:
			s.does = 'c'
		case k < 9 && s.x != s.y && g.of[s.x] > 0 && g.of[s.y] > 0 && g.of[s.x] != g.of[s.y] && compared < most:
			s.does = 'e'
			compared++
		case g.handles || !g.isLive(s.x):
			continue
		case k == 9 && g.made < 4:
			s.does, s.n = 'r', 4
		case g.stored[g.of[s.x]]:
			s.does = 'l'
		default:
			s.does, s.n = 's', g.IntN(3)
		}
		g.step(s)
	}
}

// step writes a statement, and notes what it does.
func (g *again) step(s againStep) {
	x, y := againNames[s.x], againNames[s.y]
	g.steps = append(g.steps, s)
	switch s.does {
	case 'n':
		g.made++
		g.of[s.x] = g.made
		if g.handles {
			g.line("pthread_create(&%s, 0, f, 0);", x)
		} else {
			g.line("%s = malloc(%d);\n\tif (!%s)\n\t\treturn 0;", x, s.n, x)
		}
	case 'f':
		g.ended[g.of[s.x]] = true
		if g.handles {
			g.line("pthread_join(%s, 0);", x)
		} else {
			g.line("free(%s);", x)
		}
	case 'c':
		g.of[s.x] = g.of[s.y]
		g.line("%s = %s;", x, y)
	case 'e':
		ways := []string{"%s == %s", "!(%s != %s)", "(unsigned long)%s == (unsigned long)%s",
			"!memcmp(&%s, &%s, sizeof a)"}
		if g.handles {
			ways[3] = "pthread_equal(%s, %s) != 0"
		}
		g.line("r = 2 * r + ("+ways[g.IntN(len(ways))]+");", x, y)
	case 's':
		g.stored[g.of[s.x]] = true
		g.line("*%s = %d;", x, s.n)
	case 'l':
		g.line("r = 3 * r + *%s;", x)
	case 'r':
		g.made++
		g.ended[g.of[s.x]] = true
		g.stored[g.made] = g.stored[g.of[s.x]]
		g.of[s.x] = g.made
		g.line("%s = realloc(%s, %d);\n\tif (!%s)\n\t\treturn 0;", x, x, s.n, x)
	}
}

// An againState is one of a run. Addresses are numbers from 1 on; what is at one ends before another is there.
type againState struct {
	at    [len(againNames)]int
	size  map[int]int // of what was there first
	live  map[int]bool
	holds map[int]int
	next  int
	r     int
}

func (s againState) copied() againState {
	size, live, holds := map[int]int{}, map[int]bool{}, map[int]int{}
	for k, v := range s.size {
		size[k] = v
	}
	for k, v := range s.live {
		live[k] = v
	}
	for k, v := range s.holds {
		holds[k] = v
	}
	s.size, s.live, s.holds = size, live, holds
	return s
}

// execute executes the statements from one on in all ways, and finds the numbers that are computed.
func (g *again) execute(from int, s againState, fitting bool, found map[int]bool) {
	for i := from; i < len(g.steps); i++ {
		step := g.steps[i]
		x := s.at[step.x]
		switch step.does {
		case 'f':
			s.live[x] = false
		case 'c':
			s.at[step.x] = s.at[step.y]
		case 'e':
			s.r *= 2
			if x == s.at[step.y] {
				s.r++
			}
		case 's':
			s.holds[x] = step.n
		case 'l':
			s.r = 3*s.r + s.holds[x]
		case 'n', 'r':
			for at := 1; at <= s.next; at++ {
				stays := step.does == 'r' && at == x
				if at < s.next && !stays && (s.live[at] || fitting && step.n > s.size[at]) {
					continue
				}
				t := s.copied()
				if at == s.next {
					t.next++
					t.size[at] = step.n
				}
				if step.does == 'r' {
					t.live[x] = false
					t.holds[at] = t.holds[x]
				}
				t.live[at], t.at[step.x] = true, at
				g.execute(i+1, t, fitting, found)
			}
			return
		}
	}
	found[s.r] = true
}

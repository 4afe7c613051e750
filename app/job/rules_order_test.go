package job

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// An orderCase is a made-up project: what roots inline, whether they are whole, and whom they lead to.
type orderCase struct {
	roots   []*RuleRoot
	results map[*RuleRoot]RuleResult
	leads   map[string][]string
}

// newOrderCase has some rules with roots and callbacks. What is inlined is mostly, and not always, what is led to.
func newOrderCase(r *rand.Rand) *orderCase {
	c := &orderCase{results: map[*RuleRoot]RuleResult{}, leads: map[string][]string{}}
	const functions = 8
	name := func(n int) string { return fmt.Sprintf("f%d", n) }
	for n := range functions {
		for range r.IntN(3) {
			c.leads[name(n)] = append(c.leads[name(n)], name(r.IntN(functions)))
		}
	}
	for question := range 1 + r.IntN(3) {
		for n := range 1 + r.IntN(functions) {
			root := &RuleRoot{Question: question, Entry: name(n), key: "a.c:" + name(n), callback: n > 1}
			result := RuleResult{Whole: r.IntN(3) > 0, Inlined: []string{root.key}}
			for _, to := range c.leads[root.Entry] {
				if r.IntN(3) > 0 {
					result.Inlined = append(result.Inlined, "a.c:"+to)
				}
			}
			if r.IntN(8) == 0 {
				result.Inlined = append(result.Inlined, "a.c:"+name(r.IntN(functions)))
			}
			result.Claim.Name = fmt.Sprint(question, root.Entry)
			c.roots, c.results[root] = append(c.roots, root), result
		}
	}
	return c
}

// inTurn is what is told where one root is checked after the other: the definition.
func (c *orderCase) inTurn() (told []string) {
	question, seen, unsure := -1, map[string]bool{}, map[string]string{}
	for _, root := range c.roots {
		if root.Question != question {
			question, seen, unsure = root.Question, map[string]bool{}, map[string]string{}
		}
		switch by, ok := unsure[root.Entry]; {
		case seen[root.key]:
		case ok:
			told = append(told, fmt.Sprint(question, root.Entry, " by ", by))
		default:
			result := c.results[root]
			told = append(told, result.Claim.Name)
			for _, key := range result.Inlined {
				seen[key] = true
			}
			if !result.Whole {
				for _, to := range c.leads[root.Entry] {
					unsure[to] = root.Entry
				}
			}
		}
	}
	return told
}

// atATime is what is told where some are checked at a time, and how many were checked.
func (c *orderCase) atATime(jobs int, pause func()) (told []string, checked int) {
	o := &rootOrder{known: map[string]map[string]bool{}, seen: map[string]bool{}, unsure: map[string]string{}}
	o.changed = sync.NewCond(&o.mu)
	o.leads = func(_ int, from string) []string { return c.leads[from] }
	for _, root := range c.roots {
		fresh := *root
		o.roots = append(o.roots, &fresh)
	}
	by := map[string]RuleResult{}
	for root, result := range c.results {
		by[fmt.Sprint(root.Question, root.Entry)] = result
	}
	stop := o.work(jobs, pause, func(int) func(*RuleRoot) {
		return func(root *RuleRoot) {
			pause()
			o.finish(root, by[fmt.Sprint(root.Question, root.Entry)], nil)
		}
	})
	_ = o.tell(func(root *RuleRoot, needless bool) error {
		switch {
		case needless:
		case root.By != "":
			told = append(told, fmt.Sprint(root.Question, root.Entry, " by ", root.By))
		default:
			told = append(told, root.Result.Claim.Name)
		}
		return nil
	})
	stop()
	for _, root := range o.roots {
		if root.taken {
			checked++
		}
	}
	return told, checked
}

// However many roots are checked at a time, the same is told as of one after the other; and one at a time checks no
// more than that.
func TestRootsAtATime(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 7))
		c := newOrderCase(r)
		want := c.inTurn()
		for _, jobs := range []int{1, 2, 5} {
			var mu sync.Mutex
			told, checked := c.atATime(jobs, func() {
				mu.Lock()
				n := r.IntN(200)
				mu.Unlock()
				for range n {
					runtime.Gosched()
				}
			})
			require.Equal(t, want, told, "seed %d, %d at a time", seed, jobs)
			alone := 0
			for _, root := range want {
				if !strings.Contains(root, " by ") {
					alone++
				}
			}
			if jobs == 1 {
				require.Equal(t, alone, checked, "seed %d", seed)
			}
		}
	}
}

package rules_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"magus/engine/rules"
)

func TestSilent(t *testing.T) {
	ten := func(string) int { return 10 }
	for name, tt := range map[string]struct {
		procedures []string
		mentions   []rules.Mention
		least      int
		silent     []string
		implicit   []string
		alone      []string
	}{
		"what leads to an event is not": {[]string{"a", "b", "c"},
			[]rules.Mention{calls("a", "b"), calls("b", "lock"), calls("a", "c"), calls("c", "strlen")}, 0,
			[]string{"c"}, nil, nil},
		"the weight has each call": {[]string{"a", "b", "c"},
			[]rules.Mention{calls("a", "b"), calls("a", "b"), calls("b", "c")}, 30, []string{"a"}, nil, nil},
		"what calls itself has no bound": {[]string{"a", "b"},
			[]rules.Mention{calls("a", "b"), calls("b", "b")}, 1000, []string{"a", "b"}, nil, nil},
		"a jump": {[]string{"a", "b"},
			[]rules.Mention{calls("a", "longjmp")}, 0, []string{"b"}, nil, nil},
		"a call through a pointer, and no address of what leads to an event": {[]string{"a", "b", "c"},
			[]rules.Mention{{Within: "a", Called: true}, {Within: "b", Name: "a"}, calls("c", "lock")}, 0,
			[]string{"a", "b"}, nil, nil},
		"a call through a pointer, and one": {[]string{"a", "b", "c", "d"},
			[]rules.Mention{{Within: "a", Called: true}, {Within: "d", Name: "c"}, calls("c", "lock")}, 0,
			[]string{"b"}, nil, nil},
		"a call through a pointer, and one of an event itself": {[]string{"a", "b", "d"},
			[]rules.Mention{{Within: "a", Called: true}, {Within: "d", Name: "lock"}}, 0, []string{"b"}, nil, nil},
		"a jump behind a pointer": {[]string{"a", "b", "c"},
			[]rules.Mention{{Within: "a", Called: true}, {Within: "b", Name: "c"}, calls("c", "longjmp")}, 0, nil, nil, nil},
		"the end of the program, where a destructor leads to an event": {[]string{"a", "b", "c"},
			[]rules.Mention{calls("a", "exit"), calls("c", "lock")}, 0, []string{"b"}, []string{"c"}, nil},
		"the end of the program": {[]string{"a", "b", "c"},
			[]rules.Mention{calls("a", "exit"), calls("c", "lock")}, 0, []string{"a", "b"}, nil, nil},
		"what calls back": {[]string{"a", "b", "c", "d"},
			[]rules.Mention{calls("a", "qsort"), calls("b", "strlen"), {Within: "d", Name: "c"}, calls("c", "lock")}, 0,
			[]string{"a", "b"}, nil, []string{"a"}},
		"what calls back, and a thread": {[]string{"a", "b", "c", "d"},
			[]rules.Mention{calls("a", "qsort"), {Within: "d", Name: "c", To: "start"}, calls("c", "lock")}, 0,
			[]string{"a", "b"}, nil, nil},
		"what hands functions on": {[]string{"a", "b"}, []rules.Mention{calls("a", "start"), calls("b", "atexit")}, 0,
			[]string{"a"}, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			g := rules.NewGraph(tt.procedures, tt.mentions)
			f := rules.Facts{IsEvent: func(name string) bool { return name == "lock" }, Size: ten,
				Implicit:   tt.implicit,
				Later:      func(name string) bool { return name == "atexit" || name == "start" },
				OnlyStarts: func(name string) bool { return name == "start" },
				CallsBack:  func(name string) bool { return name == "qsort" || name == "exit" }}
			all, alone := g.Silent(f, tt.least)
			require.Equal(t, tt.silent, all)
			require.Equal(t, tt.alone, alone)
		})
	}
}

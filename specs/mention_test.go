package specs

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"magus/internal/sample"
)

// mentioned is a mention in a line.
func mentioned(m Mention) string {
	kinds := []string{"process", "state", "action", "procedure", "claim", "variable", "argument",
		"statement", "specification"}
	s := fmt.Sprintf("%d:%d-%d %s %s", m.Pos.Line, m.Pos.Col, m.End.Col, kinds[m.Kind], m.Name)
	if m.Defines {
		s += " defined"
	}
	if m.Within != "" {
		s += " within " + m.Within
	}
	return s
}

func mentionsOf(text string) (all []string) {
	for _, m := range Mentions(Source{Name: "x.spec", Text: []byte(text)}) {
		all = append(all, mentioned(m))
	}
	return all
}

func TestMentions(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"process", "P = ( a . b -> Q | tau -> P ), Q = ( x:return {$0 > n} -> STOP | {c, d} -> R ).", []string{
			"1:1-2 process P defined", "1:7-12 action a.b within P", "1:16-17 state Q within P", "1:27-28 process P",
			"1:32-33 state Q defined within P", "1:38-39 procedure x within P", "1:48-50 argument $0 within P",
			"1:53-54 variable n within P",
			"1:67-68 action c within P", "1:70-71 action d within P", "1:76-77 process R"}},
		{"procedure", "procedure f { predicate (x == 1), (y); abstract { ok, ($1 > g), P }; }", []string{
			"1:11-12 procedure f", "1:26-27 variable x within f", "1:36-37 variable y within f",
			"1:51-53 claim ok defined within f",
			"1:56-58 argument $1 within f", "1:61-62 variable g within f", "1:65-66 process P"}},
		{"program", "program a, b*2 { specification s, {(x), (y)}, P; }", []string{
			"1:9-10 procedure a", "1:12-13 procedure b", "1:32-33 claim s defined", "1:37-38 variable x within a",
			"1:42-43 variable y within b",
			"1:47-48 process P"}},
		{"operators", `||A = ( B || C ) \ {a} / {n/o}.`, []string{
			"1:3-4 process A defined", "1:9-10 process B", "1:14-15 process C", "1:21-22 action a within A",
			"1:27-28 action n within A", "1:29-30 action o within A"}},
		{"import", `P = import "x.aut" \ {a}.`, []string{"1:1-2 process P defined", "1:23-24 action a within P"}},
		{"error within", "P = ( a -> ).\nQ = ( b -> Q ).", []string{
			"1:1-2 process P defined", "1:7-8 action a within P", "2:1-2 process Q defined",
			"2:7-8 action b within Q", "2:12-13 process Q"}},
		{"more errors than are reported", strings.Repeat("P = .\n", 20) + "Q = ( b -> STOP ).", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := mentionsOf(tt.text)
			if tt.want == nil {
				assert.Contains(t, got, "21:7-8 action b within Q")
				return
			}
			assert.Equal(t, tt.want, got)
		})
	}
}

func TestSlotAt(t *testing.T) {
	kinds := func(ks ...MentionKind) []MentionKind { return ks }
	tests := []struct {
		text string // up to the place
		want Slot
	}{
		{"", Slot{Kinds: kinds(MentionProcess), Top: true}},
		{"P = STOP.\npro", Slot{Kinds: kinds(MentionProcess), Top: true}},
		{"P = ", Slot{Kinds: kinds(MentionProcess), Within: "P"}},
		{"P = ( ", Slot{Kinds: kinds(MentionAction), Within: "P"}},
		{"P = ( a.", Slot{Kinds: kinds(MentionAction), Within: "P"}},
		{"P = ( a -> ", Slot{Kinds: kinds(MentionAction, MentionProcess), Within: "P"}},
		{"P = ( a -> Q ), Q = ( b -> c -> R | ", Slot{Kinds: kinds(MentionAction), Within: "P"}},
		{"P = ( A || ", Slot{Kinds: kinds(MentionProcess), Within: "P"}},
		{`P = ( a -> P ) \ {b, `, Slot{Kinds: kinds(MentionAction), Within: "P"}},
		{"P = ( return {$0 == E", Slot{Kinds: kinds(MentionVariable), Within: "P", Returned: true}},
		{"procedure ", Slot{Kinds: kinds(MentionProcedure)}},
		{"procedure f { ", Slot{Kinds: kinds(MentionStatement), Within: "f"}},
		{"procedure f { abstract { ok, ($1 > li", Slot{Kinds: kinds(MentionVariable), Within: "f"}},
		{"procedure f { abstract { ok, ($1 > 0), ", Slot{Kinds: kinds(MentionProcess), Within: "f"}},
		{"procedure f { predicate (", Slot{Kinds: kinds(MentionVariable), Within: "f"}},
		{"program a, ", Slot{Kinds: kinds(MentionProcedure)}},
		{"program a, b { ", Slot{Kinds: kinds(MentionSpecification)}},
		{"program a, b { specification s, {(1), (x", Slot{Kinds: kinds(MentionVariable), Within: "b"}},
		{"program a, b { specification s, {(1), (x)}, ", Slot{Kinds: kinds(MentionProcess), Within: "b"}},
		{"// P = ", Slot{}},
		{"/* P = ", Slot{}},
		{`P = import "`, Slot{}},
		{"P = ( a -> ).\nQ = ( b -> ", Slot{Kinds: kinds(MentionAction, MentionProcess), Within: "Q"}},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			assert.Equal(t, tt.want, SlotAt(tt.text+"\nrest = (", len(tt.text)))
		})
	}
}

// Whatever stands in a text, names are where mentions say, and any place can be asked for.
func TestMentionsOfBrokenTexts(t *testing.T) {
	files, err := filepath.Glob("../examples/*/*.spec")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	var texts []string
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		texts = append(texts, string(text))
	}
	sample.Check(t, func(t *rapid.T) {
		text := []rune(rapid.SampledFrom(texts).Draw(t, "text"))
		for range rapid.IntRange(0, 4).Draw(t, "edits") {
			at := rapid.IntRange(0, len(text)).Draw(t, "at")
			end := min(len(text), at+rapid.IntRange(0, 9).Draw(t, "deleted"))
			inserted := []rune(rapid.SampledFrom([]string{"", "(", "}", "->", "é", "P =", "\"", ".", "/*", "procedure"}).
				Draw(t, "inserted"))
			text = append(append(append([]rune{}, text[:at]...), inserted...), text[end:]...)
		}
		lines := strings.Split(string(text), "\n")
		for _, m := range Mentions(Source{Name: "x.spec", Text: []byte(string(text))}) {
			line := []rune(lines[m.Pos.Line-1])
			if m.Pos.Line == m.End.Line {
				got := strings.Join(strings.Fields(string(line[m.Pos.Col-1:m.End.Col-1])), "")
				if !strings.Contains(got, "/*") && !strings.Contains(got, "//") {
					assert.Equal(t, m.Name, got)
				}
			}
		}
		SlotAt(string(text), rapid.IntRange(0, len(string(text))).Draw(t, "place"))
	})
}

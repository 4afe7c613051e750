package lsp

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// applied is a text with edits.
func applied(s string, edits []protocol.TextEdit) string {
	t := newText(s)
	edits = slices.Clone(edits)
	slices.SortFunc(edits, func(a, b protocol.TextEdit) int { return t.offset(b.Range.Start) - t.offset(a.Range.Start) })
	for _, e := range edits {
		s = s[:t.offset(e.Range.Start)] + e.NewText + s[t.offset(e.Range.End):]
	}
	return s
}

func TestFormatting(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"blanks", "P=( é->P ). // ü\n\n\n\nQ = STOP.  \n", "P = ( é -> P ). // ü\n\nQ = STOP.\n"},
		{"no line end", "P = STOP.", "P = STOP.\n"},
		{"other line ends", "P = STOP.\r\nQ = P.\r\n", "P = STOP.\nQ = P.\n"},
		{"formatted", lockSpec, lockSpec},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := start(t, nil)
			p := &protocol.DocumentFormattingParams{TextDocument: e.open("a.spec", tt.text).TextDocument}
			got, err := e.server.Formatting(t.Context(), p)
			require.NoError(t, err)
			assert.Equal(t, tt.want, applied(tt.text, got))
			assert.Equal(t, tt.text == tt.want, len(got) == 0)
		})
	}
	e := start(t, nil)
	at := e.open("a.spec", "P = ( a ->")
	_, err := e.server.Formatting(t.Context(), &protocol.DocumentFormattingParams{TextDocument: at.TextDocument})
	require.ErrorContains(t, err, "not formatted: a.spec:1:11: expected")
	at = e.open("a.c", "int  x;")
	got, err := e.server.Formatting(t.Context(), &protocol.DocumentFormattingParams{TextDocument: at.TextDocument})
	require.NoError(t, err)
	require.Empty(t, got)
}

// rename is what a renaming makes of the files.
func (e *editor) rename(at protocol.TextDocumentPositionParams, to string,
	files map[string]string) (map[string]string, error) {
	got, err := e.server.Rename(e.t.Context(), &protocol.RenameParams{TextDocumentPositionParams: at, NewName: to})
	if err != nil {
		return nil, err
	}
	after := map[string]string{}
	for name, s := range files {
		if edits := got.Changes[e.uri(name)]; len(edits) > 0 {
			after[name] = applied(s, edits)
		}
	}
	require.Len(e.t, got.Changes, len(after))
	return after, nil
}

const fluentSpec = `fluent Busy = <{lock}, {unlock}>
progress Works = {lock}
assert Ends = [](lock -> <>!Busy)
program work { specification s, {(1)}, Free; progress Works; assert Ends; }
`

func renameFiles() map[string]string {
	return map[string]string{
		"lock.spec": lockSpec + fluentSpec, "other.spec": "Free = ( lock -> Free ).\n",
		"lock.c": "// magus: check lock.c lock.spec more.spec\nvoid __MAGUS_ACTION__(const char *);\n" +
			"void lock(void); void unlock(void);\n" +
			"int work(int n) { lock(); __MAGUS_ACTION__(\"tick\"); unlock(); return 0; }\n",
		"more.spec": "More = ( tick -> Free | lock -> Held ),\nHeld = STOP.\n",
	}
}

func TestRename(t *testing.T) {
	replaced := func(s string, pairs ...string) string { return strings.NewReplacer(pairs...).Replace(s) }
	f := renameFiles()
	tests := []struct {
		name, file, place, to string // ‸ before the name
		want                  map[string]string
	}{
		{"process", "lock.spec", "‸Free = ", "Idle", map[string]string{
			"lock.spec": replaced(f["lock.spec"], "Free", "Idle"), "more.spec": replaced(f["more.spec"], "Free", "Idle")}},
		{"from another file", "more.spec", "-> ‸Free", "Idle", map[string]string{
			"lock.spec": replaced(f["lock.spec"], "Free", "Idle"), "more.spec": replaced(f["more.spec"], "Free", "Idle")}},
		{"state", "lock.spec", "‸Held = ( unlock", "Taken",
			map[string]string{"lock.spec": replaced(f["lock.spec"], "Held", "Taken")}},
		{"action", "lock.spec", "Free = ( ‸lock", "x.y", map[string]string{
			"lock.spec": replaced(f["lock.spec"], "( lock", "( x.y", "(lock", "(x.y", "{lock", "{x.y"),
			"more.spec": replaced(f["more.spec"], "lock", "x.y")}},
		{"action of C", "more.spec", "‸tick", "tock", map[string]string{
			"lock.c": replaced(f["lock.c"], "tick", "tock"), "more.spec": replaced(f["more.spec"], "tick", "tock")}},
		{"action in C", "lock.c", "\"‸tick", "tock", map[string]string{
			"lock.c": replaced(f["lock.c"], "tick", "tock"), "more.spec": replaced(f["more.spec"], "tick", "tock")}},
		{"fluent", "lock.spec", "<>!‸Busy", "Held_now",
			map[string]string{"lock.spec": replaced(f["lock.spec"], "Busy", "Held_now")}},
		{"progress", "lock.spec", "progress ‸Works =", "Goes",
			map[string]string{"lock.spec": replaced(f["lock.spec"], "Works", "Goes")}},
		{"assertion", "lock.spec", "assert ‸Ends;", "Over",
			map[string]string{"lock.spec": replaced(f["lock.spec"], "Ends", "Over")}},
		{"claim", "lock.spec", "‸discipline", "order",
			map[string]string{"lock.spec": replaced(f["lock.spec"], "discipline", "order")}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := start(t, f)
			plain := strings.Replace(tt.place, "‸", "", 1)
			require.Contains(t, f[tt.file], plain)
			at := e.open(tt.file, strings.Replace(f[tt.file], plain, tt.place, 1))
			got, err := e.rename(at, tt.to, f)
			require.NoError(t, err)
			assert.Equal(t, tt.want, got)
			prepared, err := e.server.PrepareRename(t.Context(), &protocol.PrepareRenameParams{TextDocumentPositionParams: at})
			require.NoError(t, err)
			assert.Contains(t, plain, prepared.(*protocol.PrepareRenamePlaceholder).Placeholder)
		})
	}
}

func TestRenameRefuses(t *testing.T) {
	f := renameFiles()
	tests := []struct{ place, to, want string }{
		{"‸Free = ", "Lock", "Lock stands for something else already"},
		{"‸Free = ", "Held", "Held stands for something else already"},
		{"Free = ( ‸lock", "unlock", "unlock stands for something else already"},
		{"Free = ( ‸lock", "Busy", "Busy stands for something else already"},
		{"‸Free = ", "STOP", `"STOP" is no name here`},
		{"‸Free = ", "a b", `"a b" is no name here`},
		{"‸Free = ", "", `"" is no name here`},
		{"‸Free = ", "P /* ", "is no name here"},
		{"‸Free = ", "a.b", "is no name here"},
		{"Free = ( ‸lock", "tau", "is no name here"},
		{"Free = ( ‸lock", "return", "is no name here"},
		{"<>!‸Busy", "U", "is no name here"},
		{"procedure ‸work", "x", "C gives work its name"},
		{"‸// ", "x", "there is nothing to rename"},
	}
	for _, tt := range tests {
		t.Run(tt.place+" "+tt.to, func(t *testing.T) {
			e := start(t, f)
			text := f["lock.spec"] + "// end\n"
			at := e.open("lock.spec", strings.Replace(text, strings.Replace(tt.place, "‸", "", 1), tt.place, 1))
			_, err := e.rename(at, tt.to, f)
			require.ErrorContains(t, err, tt.want)
		})
	}
	e := start(t, f)
	at := e.open("lock.spec", strings.Replace(f["lock.spec"], "Free = ", "‸Free = ", 1)+"P = (")
	_, err := e.rename(at, "Idle", f)
	require.ErrorContains(t, err, "lock.spec has a mistake: mend it first")
	e = start(t, f)
	e.open("lock.c", "// magus: check lock.c lock.spec more.spec\nint f(void) { x = ; }")
	at = e.open("more.spec", strings.Replace(f["more.spec"], "tick", "‸tick", 1))
	_, err = e.rename(at, "tock", f)
	require.ErrorContains(t, err, "cannot be read as it is: it may perform tick")
}

func TestHighlights(t *testing.T) {
	e := start(t, lockFiles())
	at := e.open("lock.spec", strings.Replace(lockSpec, "-> Held", "-> He‸ld", 1))
	got, err := e.server.DocumentHighlight(t.Context(), &protocol.DocumentHighlightParams{TextDocumentPositionParams: at})
	require.NoError(t, err)
	var all []string
	for _, h := range got {
		all = append(all, fmt.Sprintf("%d:%d-%d", h.Range.Start.Line+1, h.Range.Start.Character+1, h.Range.End.Character+1))
	}
	assert.Equal(t, []string{"5:18-22", "6:1-5"}, all)
}

func TestFoldingRanges(t *testing.T) {
	e := start(t, nil)
	at := e.open("a.spec", "// a\n// b\nP = ( a -> P\n    | b -> P ).\nprocedure f {\n\tskip;\n}\n")
	got, err := e.server.FoldingRanges(t.Context(), &protocol.FoldingRangeParams{TextDocument: at.TextDocument})
	require.NoError(t, err)
	assert.Equal(t, []protocol.FoldingRange{{StartLine: 0, EndLine: 1, Kind: protocol.FoldingRangeKindComment},
		{StartLine: 2, EndLine: 3}, {StartLine: 4, EndLine: 6}}, got)
}

func TestSemanticTokens(t *testing.T) {
	e := start(t, nil)
	text := "/* ü𝄞 */ P = ( x.y -> Q ),\nQ = ( f:return {$0 == n} -> P ).\nprocedure f { abstract { " +
		"c, (1), P }; }\nfluent F = <a, b>\n"
	at := e.open("a.spec", text)
	got, err := e.server.SemanticTokensFull(t.Context(), &protocol.SemanticTokensParams{TextDocument: at.TextDocument})
	require.NoError(t, err)
	require.Zero(t, len(got.Data)%5)
	lines := newText(text)
	var all []string
	var p protocol.Position
	for d := range slices.Chunk(got.Data, 5) {
		if d[0] > 0 {
			p.Character = 0
		}
		p.Line, p.Character = p.Line+d[0], p.Character+d[1]
		end := p
		end.Character += d[2]
		all = append(all, fmt.Sprintf("%s %s %d", lines.s[lines.offset(p):lines.offset(end)],
			legend().TokenTypes[d[3]], d[4]))
	}
	assert.Equal(t, []string{"P class 1", "x.y event 0", "Q enumMember 0", "Q enumMember 1", "f function 0",
		"$0 parameter 0", "n variable 0",
		"P class 0", "f function 0", "c property 1", "P class 0", "F property 1", "a event 0", "b event 0"}, all)
}

func TestWorkspaceSymbols(t *testing.T) {
	files := renameFiles()
	files["deep/er/x.spec"], files[".git/y.spec"] = "Freely = STOP.\n", "Freedom = STOP.\n"
	e := start(t, files)
	e.open("lock.spec", strings.Replace(files["lock.spec"], "Free = ", "Freed = ", 1))
	for query, want := range map[string][]string{
		"fre": {"Freely x.spec:1", "Freed lock.spec:5", "Free other.spec:1"}, "hld": {"Held lock.spec:6", "Held more.spec:2"},
		"works": {"Works lock.spec:9"}, "discip": {"discipline lock.spec:7"}, "none": nil,
	} {
		got, err := e.server.Symbols(t.Context(), &protocol.WorkspaceSymbolParams{Query: query})
		require.NoError(t, err)
		var all []string
		for _, s := range got.(protocol.SymbolInformationSlice) {
			place := places([]protocol.Location{s.Location})[0]
			all = append(all, s.Name+" "+place[:strings.LastIndex(place, ":")])
		}
		assert.Equal(t, want, all, query)
	}
}

// offers are the actions at a range that is marked by ‸…‸, or at a place.
func (e *editor) offers(name, text string, ds ...protocol.Diagnostic) []*protocol.CodeAction {
	e.t.Helper()
	from := strings.Index(text, "‸")
	text = strings.Replace(text, "‸", "", 1)
	to := max(from, strings.Index(text, "‸"))
	text = strings.Replace(text, "‸", "", 1)
	e.open(name, text)
	p := &protocol.CodeActionParams{Range: newText(text).span(from, to),
		Context: protocol.CodeActionContext{Diagnostics: ds}}
	p.TextDocument.URI = e.uri(name)
	got, err := e.server.CodeAction(e.t.Context(), p)
	require.NoError(e.t, err)
	var all []*protocol.CodeAction
	for _, a := range got {
		all = append(all, a.(*protocol.CodeAction))
	}
	return all
}

func TestCodeActions(t *testing.T) {
	spec := "Unlock = ( unlock -> return {} -> STOP ).\nprocedure unlock { abstract { (1), Unlock }; }\n" +
		"procedure work {\n\tabstract { (1), Unlock };\n}\n"
	tests := []struct{ name, spec, c, title, want string }{
		{"describe a routine", spec, strings.Replace(lockC, "\tlock();", "\tlo‸ck();", 1), "describe lock in lock.spec",
			spec + "\n// A call of lock is an event of its name, and it returns anything.\n" +
				"Lock = ( lock -> return {} -> STOP ).\nprocedure lock { abstract { (1), Lock }; }\n"},
		{"it is described", lockSpec, strings.Replace(lockC, "\tlock();", "\tlo‸ck();", 1), "", ""},
		{"it has a body", spec, strings.Replace(lockC, "int work", "int wo‸rk", 1), "", ""},
		{"of the C library", spec, "int abs(int);\nint work(int n) { return ‸abs(n); }\n", "", ""},
		{"the name is taken", "Lock = STOP.\nprocedure work { abstract { (1), Lock }; }",
			strings.Replace(lockC, "\tlock();", "\tlo‸ck();", 1), "describe lock in lock.spec",
			"Lock = STOP.\nprocedure work { abstract { (1), Lock }; }\n\n" +
				"// A call of lock is an event of its name, and it returns anything.\n" +
				"Lock_ = ( lock -> return {} -> STOP ).\nprocedure lock { abstract { (1), Lock_ }; }\n"},
		{"a predicate", spec, strings.Replace(lockC, "(n > 5)", "(‸n>5‸)", 1), "make n > 5 a predicate of work in lock.spec",
			strings.Replace(spec, "work {\n", "work {\n\tpredicate (n > 5);\n", 1)},
		{"a predicate in one line", lockSpec, strings.Replace(lockC, "(n > 5)", "‸(n > 5)‸", 1),
			"make n > 5 a predicate of work in lock.spec",
			strings.Replace(lockSpec, "work {", "work { predicate (n > 5);", 1)},
		{"a first predicate", "P = STOP.\n", strings.Replace(lockC, "(n > 5)", "(‸n > 5‸)", 1),
			"make n > 5 a predicate of work in lock.spec",
			"P = STOP.\n\nprocedure work { predicate (n > 5); }\n"},
		{"no condition", spec, strings.Replace(lockC, "if (n > 5)", "‸if (n > 5)‸", 1), "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := start(t, map[string]string{"lock.spec": tt.spec, "lock.c": "void x(void);"})
			got := e.offers("lock.c", tt.c)
			if tt.title == "" {
				require.Empty(t, got)
				return
			}
			require.Len(t, got, 1)
			assert.Equal(t, tt.title, got[0].Title)
			assert.Equal(t, tt.want, applied(tt.spec, got[0].Edit.Changes[e.uri("lock.spec")]))
		})
	}
}

// What a message proposes is written in the place of the mistake.
func TestMeantNames(t *testing.T) {
	text := "prosedure f { skip; }\n"
	e := start(t, nil)
	e.open("a.spec", text)
	e.expect("a.spec", "did you mean procedure?")
	e.mu.Lock()
	d := e.diagnostics["a.spec"][0]
	e.mu.Unlock()
	got := e.offers("a.spec", "‸"+text, d)
	require.Len(t, got, 1)
	assert.Equal(t, "write procedure", got[0].Title)
	assert.Equal(t, "procedure f { skip; }\n", applied(text, got[0].Edit.Changes[uri.File(e.path("a.spec"))]))
}

// calls are the other ends of calls, with the lines of the calls.
func calls[C any](all []C, of func(C) (protocol.CallHierarchyItem, []protocol.Range)) (said []string) {
	for _, c := range all {
		item, ranges := of(c)
		s := fmt.Sprintf("%s %s:", item.Name, places([]protocol.Location{{URI: item.URI, Range: item.Range}})[0])
		for _, r := range ranges {
			s += fmt.Sprintf(" %d", r.Start.Line+1)
		}
		said = append(said, s)
	}
	return said
}

func TestCallHierarchy(t *testing.T) {
	c := "void __MAGUS_ACTION__(const char *);\nvoid lock(void);\nvoid unlock(void);\n" +
		"static void both(void)\n{\n\tlock();\n\tunlock();\n\tlock();\n}\n" +
		"int work(int n)\n{\n\t__MAGUS_ACTION__(\"lock\");\n\tboth();\n\treturn 0;\n}\n"
	tests := []struct {
		name, file, place  string
		incoming, outgoing []string
	}{
		{"function", "lock.c", "void ‸both", []string{"work lock.c:10:5: 13"},
			[]string{"lock lock.spec:3:11: 6 8", "unlock lock.spec:4:11: 7"}},
		{"routine", "lock.c", "\t‸lock();", []string{"both lock.c:4:13: 6 8"}, []string{"lock lock.spec:1:10: 1"}},
		{"claimed", "lock.spec", "procedure ‸work", nil, []string{"both lock.c:4:13: 13", "lock lock.spec:1:10: 12"}},
		{"action", "lock.spec", "Lock = ( ‸lock", []string{"lock lock.spec:3:11: 1", "work lock.c:10:5: 12"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files := map[string]string{"lock.spec": lockSpec, "lock.c": c}
			e := start(t, files)
			at := e.open(tt.file, strings.Replace(files[tt.file], strings.Replace(tt.place, "‸", "", 1), tt.place, 1))
			items, err := e.server.PrepareCallHierarchy(t.Context(),
				&protocol.CallHierarchyPrepareParams{TextDocumentPositionParams: at})
			require.NoError(t, err)
			require.Len(t, items, 1)
			in, err := e.server.IncomingCalls(t.Context(), &protocol.CallHierarchyIncomingCallsParams{Item: items[0]})
			require.NoError(t, err)
			out, err := e.server.OutgoingCalls(t.Context(), &protocol.CallHierarchyOutgoingCallsParams{Item: items[0]})
			require.NoError(t, err)
			assert.Equal(t, tt.incoming,
				calls(in, func(c protocol.CallHierarchyIncomingCall) (protocol.CallHierarchyItem, []protocol.Range) {
					return c.From, c.FromRanges
				}))
			assert.Equal(t, tt.outgoing,
				calls(out, func(c protocol.CallHierarchyOutgoingCall) (protocol.CallHierarchyItem, []protocol.Range) {
					return c.To, c.FromRanges
				}))
		})
	}
}

package harness

// The program's text with what it is given, and the functions that it calls
// and does not define.

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"magus/cfa"
	"magus/cfa/source"
	"magus/cfa/source/libc"
	"magus/evidence/witness"
	"magus/internal/pattern"
)

// stays reports whether a function is what it is: one of the C library that does in the run what it does in
// any library.
func (w *writer) stays(name string) bool {
	f, ok := libc.Known(name)
	return ok && f.IsExact() && !slices.Contains(w.replay.Errors, name)
}

// allocates reports whether a function is one of those that may fail to allocate memory.
func allocates(f source.Function) bool {
	row, ok := libc.Known(f.Name)
	return ok && row.Result == "new" && !f.Body.IsValid()
}

func (w *writer) body() string {
	edits := w.edits()
	var b strings.Builder
	for i, s := range w.units {
		text := apply(s.Text, edits[s.Name])
		if i > 0 {
			text = reInclude().ReplaceAll(text, []byte("${1}import$2"))
		}
		w.unit(&b, s, text)
	}
	b.WriteString("\n/* What the program does not define. */\n\n")
	w.variables(&b)
	w.functions(&b)
	w.sets(&b)
	w.run(&b)
	for _, p := range w.replay.Components {
		for _, m := range p.Missing {
			w.missing = append(w.missing, fmt.Sprintf("%v: %s", m.Pos, m.Text))
		}
	}
	return b.String()
}

// reInclude finds what a unit includes of the program's own. A header that an
// earlier unit included is there already: GCC's #import knows.
var reInclude = pattern.New(`(?m)^([ \t]*#[ \t]*)include([ \t]*")`)

// unit writes one unit.
func (w *writer) unit(b *strings.Builder, s source.Source, text []byte) {
	names := slices.Sorted(maps.Keys(w.names[s.Name]))
	b.WriteByte('\n')
	var macros []string
	if !s.Preprocessed {
		macros = defines(b, s.Defines, s.Undefs)
		macros = append(macros, defines(b, w.set.Defines, w.set.Undefs)...)
	}
	for _, name := range names {
		fmt.Fprintf(b, "#undef %s\n#define %s %s\n", name, name, w.names[s.Name][name])
	}
	for _, name := range s.Includes {
		fmt.Fprintf(b, "#include \"%s\"\n", filepath.ToSlash(name))
	}
	fmt.Fprintf(b, "#line 1 %s\n%s\n", quote(s.Name), text)
	b.WriteString("#line 1 \"harness\"\n")
	for _, name := range append(names, macros...) {
		fmt.Fprintf(b, "#undef %s\n", name)
	}
}

// defines writes macros of a command line and gives their names.
func defines(b *strings.Builder, defines, undefs []string) (names []string) {
	for _, d := range defines {
		name, value, found := strings.Cut(d, "=")
		if !found {
			value = "1"
		}
		bare, _, _ := strings.Cut(name, "(")
		fmt.Fprintf(b, "#undef %s\n#define %s %s\n", bare, name, value)
		names = append(names, bare)
	}
	for _, u := range undefs {
		fmt.Fprintf(b, "#undef %s\n", u)
	}
	return names
}

// ofSystem reports whether a place is in a header that comes with a system.
func ofSystem(pos cfa.Pos) bool {
	return strings.HasPrefix(pos.File, "<") || slices.ContainsFunc(source.HostDirs(), func(dir string) bool {
		return strings.HasPrefix(pos.File, dir+"/")
	}) ||
		strings.HasPrefix(pos.File, "/usr/lib/")
}

// variables defines the variables that the units only declare.
func (w *writer) variables(b *strings.Builder) {
	done := map[string]bool{}
	for _, v := range w.replay.Variables {
		if !v.Static && !v.Defined && !ofSystem(v.Pos) && !done[v.Name] {
			done[v.Name] = true
			fmt.Fprintf(b, "__typeof__(%s) %s __attribute__((weak));\n", v.Name, v.Name)
		}
	}
}

// functions defines the functions that no unit does.
func (w *writer) functions(b *strings.Builder) {
	asked := map[string]bool{}
	for _, p := range w.replay.Components {
		for _, c := range p.Choices {
			asked[c.Name] = asked[c.Name] || c.Called
		}
	}
	declared := map[string]bool{}
	for _, f := range w.replay.Functions {
		declared[f.Name] = true
		needed := !ofSystem(f.Pos) || asked[f.Name] || slices.Contains(w.replay.Errors, f.Name) ||
			slices.Contains(w.replay.Routines, f.Name)
		if !f.Body.IsValid() && needed && !w.stays(f.Name) {
			w.function(b, f.Name, fmt.Sprintf("__typeof__(%s) %s", f.Name, f.Name), f.Static)
		}
	}
	w.allocators(b)
	undeclared := []string{"__MAGUS_ACTION__", "__COPPER_HANDSHAKE__"}
	if w.replay.Schedule == nil { // threads exchange no values
		undeclared = append(undeclared, source.Send, source.Receive)
	}
	for _, name := range w.replay.Errors {
		if !strings.HasPrefix(name, "__assert") { // declared where they are called
			undeclared = append(undeclared, name)
		}
	}
	for _, s := range w.order {
		if s.pos == (cfa.Pos{}) && s.name != witness.Allocation {
			undeclared = append(undeclared, s.name)
		}
	}
	for _, name := range undeclared {
		if !declared[name] {
			w.function(b, name, "int "+name+"()", false)
		}
	}
}

// allocators lets allocations fail where they fail in the run.
func (w *writer) allocators(b *strings.Builder) {
	if !w.failing() {
		return
	}
	n := w.site(witness.Allocation, cfa.Pos{})
	for _, f := range w.replay.Functions {
		if allocates(f) {
			fmt.Fprintf(b, "extern void *magus_real_%s(unsigned long, unsigned long, unsigned long) __asm__(\"%s\");\n",
				f.Name, f.Name)
			fmt.Fprintf(b, "static void *magus_do_%s(unsigned long a, unsigned long b, unsigned long c) { "+
				"return magus_take(%d) ? 0 : magus_real_%s(a, b, c); }\n", f.Name, n, f.Name)
			fmt.Fprintf(b, "extern __typeof__(magus_%s) magus_%s __attribute__((alias(\"magus_do_%s\")));\n",
				f.Name, f.Name, f.Name)
		}
	}
}

// The functions of verifiers that look at a condition.
var (
	asserts = []string{"assert", "__VERIFIER_assert", "__CPROVER_assert", "__ESBMC_assert"}
	assumes = []string{"__VERIFIER_assume", "assume_abort_if_not", "__CPROVER_assume", "__ESBMC_assume"}
)

// function gives a function a meaning, whatever its type: the parameters that
// matter and the results are numbers, which all conventions of calls pass in
// the same way.
func (w *writer) function(b *strings.Builder, name, declaration string, static bool) {
	weak := "weak, " // another file may define it after all
	if static {
		weak = ""
	}
	target := ""
	switch {
	case slices.Contains(w.replay.Errors, name):
		target = "magus_error"
	case name == "__MAGUS_ACTION__" || name == "__COPPER_HANDSHAKE__":
		target = "magus_action"
	case source.IsSend(name):
		target = "magus_send"
	case source.IsReceive(name):
		target = "magus_receive"
	case slices.Contains(asserts, name):
		target = "magus_assert"
	case slices.Contains(assumes, name):
		target = "magus_assume"
	default:
		n := w.site(name, cfa.Pos{})
		target = fmt.Sprintf("magus_function%d", n)
		bits := w.floats(name)
		fmt.Fprintf(b, "static %s %s() { return %s; }\n", bitsType(bits), target, taken(n, bits))
	}
	fmt.Fprintf(b, "extern %s __attribute__((%salias(\"%s\")));\n", declaration, weak, target)
}

// sets writes magus_set: what choices change besides their value.
func (w *writer) sets(b *strings.Builder) {
	b.WriteString("\nstatic void magus_set(int component, int choice)\n{\n")
	for i, p := range w.replay.Components {
		for k, c := range p.Choices {
			for _, s := range c.Sets {
				fmt.Fprintf(b, "\tif (component == %d && choice == %d)\n\t\t%s;\n", i, k, w.assign(s))
			}
		}
	}
	b.WriteString("}\n")
}

// assign gives a variable of file scope, or a part of one, a value.
func (w *writer) assign(s witness.Set) string { return w.give(w.global(s.Name, s.Pos), s) }

// global is the name of a variable of file scope, or a part of it, in the whole
// file.
func (w *writer) global(name string, pos cfa.Pos) string {
	n := baseLen(name)
	for _, v := range w.replay.Variables {
		if v.Name == name[:n] && v.Pos == pos {
			return w.called(v.File, v.Name) + name[n:]
		}
	}
	return name
}

// give assigns a value to an expression, as bytes where it may be const; what a
// pointer points to is a variable of file scope, or an object of its own.
func (w *writer) give(e string, s witness.Set) string {
	for _, v := range w.replay.Variables {
		if v.Name == s.Object {
			return fmt.Sprintf("magus_give((void *)&(%s), sizeof (%s), 0, (unsigned long)&%s + %d)", e, e,
				w.called(v.File, v.Name), s.Offset)
		}
	}
	value := fmt.Sprintf("0x%xull", s.Value)
	switch s.Width {
	case 8, 16, 32, 64:
		return fmt.Sprintf("magus_give((void *)&(%s), sizeof (%s), __builtin_classify_type(%s) == 5, %s)", e, e, e, value)
	}
	return fmt.Sprintf("%s = (__typeof__(%s))%s", e, e, value) // _Bool, a bit-field
}

// run writes magus_run, which begins each component.
func (w *writer) run(b *strings.Builder) {
	b.WriteString("\nstatic void magus_run(int component)\n{\n\tswitch (component) {\n")
	for i, p := range w.replay.Components {
		fmt.Fprintf(b, "\tcase %d:\n", i)
		for _, s := range p.Sets {
			element := strings.Contains(s.Name, "[") &&
				slices.ContainsFunc(w.entry(p).Params, func(q source.FunctionParam) bool { return q.Name == root(s.Name) })
			if !strings.HasPrefix(s.Name, "*") && !element {
				fmt.Fprintf(b, "\t\t%s;\n", w.assign(s))
			}
		}
		for _, set := range w.pointed(p, false) {
			fmt.Fprintf(b, "\t\t%s;\n", set)
		}
		if w.begins[i] {
			fmt.Fprintf(b, "\t\tmagus_begin = %d;\n", i+1)
		}
		if slices.Contains(w.replay.Replaced, p.Entry) {
			b.WriteString("\t\tmagus_enter = 1;\n")
		}
		w.call(b, p)
		b.WriteString("\t\tbreak;\n")
	}
	b.WriteString("\t}\n}\n\n#undef main\n__attribute__((weak)) int main(void) { return 2; }\n")
}

// call calls a component's procedure, and compares its return if that is the
// last action.
func (w *writer) call(b *strings.Builder, p witness.ComponentInputs) {
	i := slices.IndexFunc(w.replay.Functions, func(f source.Function) bool {
		return f.Name == p.Entry && f.Body.IsValid()
	})
	f := w.replay.Functions[i]
	var args []string
	for k, a := range p.Args {
		arg := fmt.Sprintf("0x%xull", a.Value)
		switch {
		case a.Float > 0:
			arg = ofBits(arg, a.Float)
		case a.Value == 0, k < len(f.Params) && f.Params[k].Pointer: // set in the body
			arg = "0" // also a null pointer
		}
		args = append(args, arg)
	}
	call := fmt.Sprintf("%s(%s)", w.called(f.File, f.Name), strings.Join(args, ", "))
	switch r := p.Return; {
	case r == nil:
		fmt.Fprintf(b, "\t\t%s;\n", call)
	case r.Width == 0:
		fmt.Fprintf(b, "\t\t%s;\n\t\tmagus_return(0, 0, 0, %s);\n", call, quote(r.Action))
	case r.Float > 0:
		fmt.Fprintf(b, "\t\tmagus_return(((union { %s f; %s bits; }){ %s }).bits, %d, 0x%xull, %s);\n", bitsType(r.Float),
			unsigned(r.Float), call, r.Width, r.Value, quote(r.Action))
	default:
		fmt.Fprintf(b, "\t\tmagus_return((unsigned long long)%s, %d, 0x%xull, %s);\n", call, r.Width, r.Value,
			quote(r.Action))
	}
}

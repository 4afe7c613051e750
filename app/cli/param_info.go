package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"magus/app/input"
	"magus/app/options"
	"magus/param"
	paramengine "magus/param/engine"
	"magus/param/mist"
)

func newParamInfo(w *World, status *int) *cobra.Command {
	f := &paramFlags{}
	return f.paramCommand(w, status, &cobra.Command{
		Use:   "info [flags] FILE",
		Short: "Show what a model consists of and which methods fit it",
		Long: `Info prints the numbers of local states, variables and rules, what is treated as
control because it has few values, and the methods that check would use for each
property.`,
		Example: "  magus param info readers-writers.param",
	}, arguments(1, 1), func(ctx context.Context, args []string) (int, error) {
		m, _, err := readModel(w, args[0])
		if err != nil {
			return 0, err
		}
		sys, err := param.Compile(ctx, m)
		if err != nil {
			return 0, err
		}
		text, err := paramInfo(sys)
		if err == nil {
			_, err = fmt.Fprintf(w.Stdout, "%s\n%s", args[0], text)
		}
		return 0, err
	})
}

func paramInfo(sys *param.System) (string, error) {
	var b strings.Builder
	m := sys.Model
	line := func(what, format string, args ...any) {
		fmt.Fprintf(&b, "  %-14s %s\n", what, fmt.Sprintf(format, args...))
	}
	for _, k := range []struct {
		kind param.Kind
		what string
	}{{param.Local, "local states"}, {param.Nat, "counters"}, {param.Range, "ranges"},
		{param.Bool, "booleans"}, {param.Parameter, "parameters"}} {
		var names []string
		for _, n := range m.Names {
			if n.Kind == k.kind {
				names = append(names, n.Text)
			}
		}
		if len(names) > 0 {
			line(k.what, "%d: %s", len(names), listed(names))
		}
	}
	line("rules", "%d", len(m.Rules))
	if len(sys.Cases) != len(m.Rules) {
		line("cases", "%d", len(sys.Cases))
	}
	if len(sys.Groups) > 0 {
		var names []string
		for _, g := range sys.Groups {
			names = append(names, m.Names[g.Name].Text)
		}
		line("control", "%s", listed(names))
	}
	for _, f := range sys.Facts {
		line("bound", "%s", m.Formula(f))
	}
	for i := range m.Bad {
		names, err := paramengine.Methods(sys, i, paramengine.Options{})
		if err != nil {
			return "", err
		}
		what := propertyName(m, i)
		if what == "" {
			what = "bad"
		}
		line(what, "%s", m.Formula(m.Bad[i].Formula))
		line("", "methods: %s", strings.Join(names, ", "))
	}
	return b.String(), nil
}

// listed names the first of many.
func listed(names []string) string {
	if len(names) > listedActions {
		return strings.Join(names[:listedActions], ", ") + ", ..."
	}
	return strings.Join(names, ", ")
}

// paramHead is the first line of files in the languages of magus param: a comment in each of them.
const paramHead = "# Written by magus param\n"

// paramConvertFlags are the flags of `magus param convert`.
type paramConvertFlags struct {
	paramFlags
	to, property string
}

func newParamConvert(w *World, status *int) *cobra.Command {
	f := &paramConvertFlags{}
	c := f.paramCommand(w, status, &cobra.Command{
		Use:   "convert [flags] FILE",
		Short: "Write a model in the other language, or in order",
		Long: `Convert writes a model of mist in this program's language, and one in this program's
language for mist, or as --to says. What mist cannot express is an error.`,
		Example: "  magus param convert -o net.spec net.param",
	}, arguments(1, 1), func(ctx context.Context, args []string) (int, error) { return 0, f.run(ctx, w, args[0]) })
	fs := c.Flags()
	fs.Var(options.NewValue(options.Choice, &f.to, "param", "mist"), "to", "the language (default the other one)")
	addFlag(c, f.options, "force")
	fs.StringVarP(&f.output, "output", "o", "", "write to `FILE` instead of standard output")
	fs.StringVar(&f.property, "property", "", "for mist, the property `NAME`")
	return c
}

func (f *paramConvertFlags) run(ctx context.Context, w *World, name string) error {
	m, isMist, err := readModel(w, name)
	if err != nil {
		return err
	}
	to := f.to
	if to == "" {
		to = map[bool]string{true: "param", false: "mist"}[isMist]
	}
	text := ""
	if to == "param" {
		rename(m)
		text = m.Format()
	} else if text, err = f.mist(ctx, m, name); err != nil {
		return err
	}
	write := func(out io.Writer) error { _, err := io.WriteString(out, paramHead+text); return err }
	if f.output == "" {
		return write(w.data())
	}
	return w.writeFile("-o", f.output, write)
}

// rename changes names that are words of the language, which in mist they may be.
func rename(m *param.Model) {
	taken := map[string]bool{}
	for _, n := range m.Names {
		taken[n.Text] = true
	}
	for i := range m.Names {
		name := m.Names[i].Text
		for param.Keyword(name) {
			for name += "_"; taken[name]; {
				name += "_"
			}
		}
		m.Names[i].Text = name
		taken[name] = true
	}
}

func (f *paramConvertFlags) mist(ctx context.Context, m *param.Model, name string) (string, error) {
	numbers, err := properties(m, f.property)
	if err != nil {
		return "", err
	}
	if len(numbers) > 1 {
		return "", &usageError{"mist has one property; name it by --property", "magus param convert"}
	}
	sys, err := param.Compile(ctx, m)
	if err != nil {
		return "", err
	}
	text, err := mist.Write(sys, numbers[0])
	if err != nil {
		return "", input.Errorf("%s: mist cannot express this: %v", name, err)
	}
	return text, nil
}

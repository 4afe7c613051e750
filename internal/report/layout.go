package report

// How a run looks.
//
// One component has a table with a row for each of its lines. Several have a lane
// each, side by side, if they are few enough for the width: what a component does
// stands in its lane, and an action that several take part in is one row across their
// lanes, with the line of each. Else a column says who moves. The last action is
// marked by > at its step.

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

const (
	sourceWidth = 44 // of a source line in the table
	laneWidth   = 40 // of a lane
	mostLanes   = 4
	// otherColumns is what is taken besides lanes, actions, states and values.
	otherColumns = 22
	placesShown  = 3 // lines or ranges of lines named in a shared row
)

// A run is what is written as a table.
type run struct {
	rows      []row
	several   bool     // components
	order     []string // of the components, as far as they are known
	specified bool     // there is a specification whose states are shown
	how       Text
}

// write writes the table.
func (x *run) write(b *strings.Builder) {
	if names := x.components(); x.several && len(names) > 1 && len(names) <= x.lanes() {
		x.writeLanes(b, names)
		return
	}
	x.writeRows(b)
}

// components are the names of those that move: those that are known, in their order,
// and then the others.
func (x *run) components() []string {
	var names []string
	add := func(name string) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, r := range x.rows {
		add(r.component)
		for _, o := range r.others {
			add(o.Component)
		}
	}
	rank := func(name string) int {
		if i := slices.Index(x.order, name); i >= 0 {
			return i
		}
		return len(x.order)
	}
	slices.SortStableFunc(names, func(a, b string) int { return rank(a) - rank(b) })
	return names
}

// lanes is how many lanes there is room for.
func (x *run) lanes() int {
	if x.how.Width <= 0 {
		return mostLanes
	}
	action, specification := 0, 0
	for _, r := range x.rows {
		action, specification = max(action, len(r.action)), max(specification, len(r.specification))
	}
	return min(mostLanes, (x.how.Width-otherColumns-action-specification-leastLast)/(leastNarrow+4))
}

// specification is what a row shows of it.
func (x *run) specification(r row) string {
	if !x.specified {
		return ""
	}
	return r.specification
}

// add adds a row with its style.
func (x *run) add(t *table, r row, cells []string, action int) {
	step := r.numbers()
	if r.forbidden {
		step = "> " + step
	}
	t.add(append([]string{step}, cells...)...)
	switch {
	case r.forbidden:
		t.style(-1, Bad)
	case r.action != "":
		t.style(action, Strong)
	case r.silent():
		t.style(-1, Faint)
	}
}

// writeRows writes a row below the other. A file that all rows have in common is named
// once, and procedures have a column only where components call some.
func (x *run) writeRows(b *strings.Builder) {
	var files []string
	calls := false
	for _, r := range x.rows {
		if r.file != "" && !slices.Contains(files, r.file) {
			files = append(files, r.file)
		}
		name, _, _ := strings.Cut(r.component, "#")
		calls = calls || r.procedure != name
	}
	where, dir := "where", ""
	if len(files) == 1 {
		fmt.Fprintf(b, "  in %s\n", files[0])
		where = "line"
	} else if dir = folder(files); dir != "" {
		fmt.Fprintf(b, "  in %s\n", dir)
	}
	t := table{right: []bool{true, false, false, false, false, false, false, false, false}, narrow: []int{1, 3, 4}}
	t.add("step", "component", where, "procedure", "source", "branch", "action", "spec", "values")
	for _, r := range x.rows {
		who, procedure := "", ""
		if x.several {
			who = strings.Join(append([]string{r.component}, r.with...), " + ")
		}
		if calls {
			procedure = r.procedure
		}
		x.add(&t, r, []string{who, strings.TrimPrefix(r.where(len(files) > 1), dir), procedure, clip(r.source, sourceWidth), r.branch, r.action, x.specification(r), r.effects()}, 6)
	}
	t.write(b, "  ", x.how)
}

// folder is the folder that files have in common, with a slash behind, or "".
func folder(files []string) string {
	if len(files) == 0 {
		return ""
	}
	dir := files[0][:strings.LastIndexByte(files[0], '/')+1]
	for _, f := range files {
		for !strings.HasPrefix(f, dir) {
			dir = dir[:strings.LastIndexByte(dir[:len(dir)-1], '/')+1]
		}
	}
	if dir == "/" {
		return ""
	}
	return dir
}

// writeLanes writes what each component does below its name.
func (x *run) writeLanes(b *strings.Builder, names []string) {
	files := map[string]string{} // by component: that of its first line
	for _, r := range x.rows {
		files[r.component] = cmp.Or(files[r.component], r.file)
		for _, o := range r.others {
			if o.Place != nil {
				files[o.Component] = cmp.Or(files[o.Component], o.Place.File)
			}
		}
	}
	same := !slices.ContainsFunc(names, func(n string) bool { return files[n] != files[names[0]] })
	if same && files[names[0]] != "" {
		fmt.Fprintf(b, "  in %s\n", files[names[0]])
	}
	dir := ""
	if !same {
		var all []string
		for _, name := range names {
			all = append(all, files[name])
		}
		if dir = folder(all); dir != "" {
			fmt.Fprintf(b, "  in %s\n", dir)
		}
	}
	n := len(names)
	t := table{right: append([]bool{true}, make([]bool, n+4)...)}
	titles := []string{"step"}
	for i, name := range names {
		t.narrow = append(t.narrow, 1+i)
		if !same && files[name] != "" {
			name += " in " + strings.TrimPrefix(files[name], dir)
		}
		titles = append(titles, name)
	}
	t.add(append(titles, "branch", "action", "spec", "values")...)
	for _, r := range x.rows {
		cells := make([]string, n, n+4)
		cells[slices.Index(names, r.component)] = r.lane(files[r.component])
		for _, o := range r.others {
			cells[slices.Index(names, o.Component)] = o.lane(files[o.Component])
		}
		x.add(&t, r, append(cells, r.branch, r.action, x.specification(r), r.effects()), n+2)
	}
	t.write(b, "  ", x.how)
}

// lane is what stands in the lane of a component whose file is named above it.
func (r *row) lane(file string) string {
	return lane(r.where(r.file != file), r.component, r.procedure, r.source)
}

func (o *Other) lane(file string) string {
	where, source := "", o.Source
	if o.Place != nil {
		where = strconv.Itoa(o.Place.Line)
		if o.Place.File != file {
			where = o.Place.File + ":" + where
		}
	}
	return lane(where, o.Component, o.Procedure, cmp.Or(source, o.Statement))
}

func lane(where, component, procedure, source string) string {
	name, _, _ := strings.Cut(component, "#")
	text := fmt.Sprintf("%-3s ", where)
	if procedure != name && procedure != "" {
		text += procedure + ": "
	}
	return clip(text+source, laneWidth)
}

// text is a value that a variable got, with the one before if it is another.
func (v *Value) text() string {
	now, before := cmp.Or(v.Named, v.Value), cmp.Or(v.BeforeNamed, v.Before)
	var remarks []string
	if v.Chosen != "" {
		remarks = append(remarks, "chosen: "+v.Chosen)
	}
	text := v.Name + " = " + now
	switch before {
	case "":
	case now:
		remarks = append(remarks, "as before")
	default:
		text = v.Name + ": " + before + " -> " + now
	}
	if remarks == nil {
		return text
	}
	return text + " (" + strings.Join(remarks, ", ") + ")"
}

// numbers are those of the steps.
func (r *row) numbers() string {
	if r.first == r.last {
		return strconv.Itoa(r.first)
	}
	return fmt.Sprintf("%d-%d", r.first, r.last)
}

// where is the place: the lines, in ranges where they only go up.
func (r *row) where(withFile bool) string {
	var parts []string
	for i := 0; i < len(r.lines); {
		end := i
		for end+1 < len(r.lines) && r.lines[end+1] > r.lines[end] {
			end++
		}
		switch end - i {
		case 0:
			parts = append(parts, strconv.Itoa(r.lines[i]))
		case 1:
			parts = append(parts, strconv.Itoa(r.lines[i]), strconv.Itoa(r.lines[end]))
		default:
			parts = append(parts, fmt.Sprintf("%d-%d", r.lines[i], r.lines[end]))
		}
		i = end + 1
	}
	if n := len(parts); n > placesShown {
		parts = append(parts[:placesShown-1], "...", parts[n-1])
	}
	where := strings.Join(parts, ",")
	if withFile && len(parts) > 0 {
		where = r.file + ":" + where
	}
	return where
}

func (r *row) effects() string {
	parts := make([]string, 0, len(r.values))
	for _, v := range r.values {
		parts = append(parts, v.text())
	}
	return strings.Join(parts, ", ")
}

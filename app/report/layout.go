package report

// How a run looks.
//
// One component has a table with a row for each of its lines. Several have a lane each, side by side,
// if they are few enough for the width: what a component does stands in its lane, with the values
// below it where there is no room beside, and an action that several take part in is one row across
// their lanes, with the line of each. Else lanes are narrow and have marks only, and the lines of
// those that take part stand below each other; where there is no room for marks, it is said who
// moves. The last action is marked by > at its step. Where there is little room, values stand below a
// row.

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

const (
	// Letters of a source line, at most: where lines are continued, where a row is one
	// line, in a lane.
	mostSource  = 200
	sourceWidth = 72
	laneWidth   = 56
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
// once, and procedures have a column only where components call some. Several components
// have a narrow lane each, which says who moves, and with whom; where there is little
// room, their names and files stand above the table.
func (x *run) writeRows(b *strings.Builder) {
	files, calls := x.filesAndCalls()
	c := rowCells{where: "where", calls: calls, withFile: len(files) > 1, most: x.most(sourceWidth)}
	if x.several {
		c.names, c.component = x.components(), "component"
		c.short = x.how.Width > 0 && x.how.Width < roomForNames
		c.noLanes = x.how.Width > 0 && (x.how.Width < roomForMarks || 6*len(c.names) > x.how.Width)
	}
	switch {
	case c.short:
		c.component, c.where, c.calls = "who", "line", false
		c.of = x.legend(b, c.names)
	case len(files) == 1:
		fmt.Fprintf(b, "  %s\n", x.how.Wrapped("in "+files[0], 2))
		c.where = "line"
	default:
		if c.dir = folder(files); c.dir != "" {
			fmt.Fprintf(b, "  %s\n", x.how.Wrapped("in "+c.dir, 2))
		}
	}
	t := table{right: []bool{true, false, false, false, false, false, false, false, false, false},
		narrow: []int{2, 3, 4, 5, 8}, below: []int{9, 8, 7, 6, 4}, hang: 2, once: []int{4}}
	t.add("step", c.lanes(), c.component, c.where, "procedure", "source", "branch", "action", "spec", "values")
	for _, r := range x.rows {
		first := len(t.rows)
		x.add(&t, r, append(c.cells(&r), r.branch, r.action, x.specification(r), r.effects()), 7)
		for _, o := range r.others {
			t.join(append(append([]string{""}, c.other(&o)...), "", "", "", "")...)
		}
		if n := len(r.others); n > 0 { // values stand below all sides
			t.rows[first+n][9], t.rows[first][9] = t.rows[first][9], ""
		}
	}
	t.write(b, "  ", x.how)
}

// most is how many letters of a source are shown.
func (x *run) most(narrow int) int {
	if x.how.Width > 0 {
		return mostSource
	}
	return narrow
}

const (
	// roomForNames is the width from which each row of several components has their names.
	roomForNames = 110
	// roomForMarks is the width from which there are narrow lanes, if they take no more than a third of it.
	roomForMarks = 60
)

// A rowCells makes the first cells of rows: lanes, the component, the place, the
// procedure, the source.
type rowCells struct {
	component, where string            // the headings
	names            []string          // of components, if there are several
	calls            bool              // procedures have a column
	most             int               // letters of the source
	withFile         bool              // places have a file,
	dir              string            // in this folder
	noLanes          bool              // there is no room for marks
	short            bool              // components have numbers only,
	of               map[string]string // and these files
}

// lanes is the heading of the lanes.
func (c *rowCells) lanes() string {
	if c.noLanes {
		return ""
	}
	text := ""
	for i := range c.names {
		text += fmt.Sprintf("%-2d", (i+1)%10)
	}
	return strings.TrimSpace(text)
}

func (c *rowCells) cells(r *row) []string {
	moving := []string{r.component}
	for _, o := range r.others {
		moving = append(moving, o.Component)
	}
	withFile := c.withFile
	if c.short {
		withFile = r.file != c.of[r.component]
	}
	return c.line(c.marks(moving), r.component, r.where(withFile), r.procedure, r.source)
}

func (c *rowCells) other(o *Other) []string {
	withFile := c.withFile
	if c.short {
		withFile = o.Place != nil && o.Place.File != c.of[o.Component]
	}
	return c.line(c.marks(nil), o.Component, o.where(withFile), o.Procedure, cmp.Or(o.Source, o.Statement))
}

// line is what stands in front of what happens.
func (c *rowCells) line(marks, component, where, procedure, source string) []string {
	who := ""
	if number := slices.Index(c.names, component) + 1; number > 0 {
		if who = strconv.Itoa(number); !c.short {
			who += " " + component
		}
	}
	name, _, _ := strings.Cut(component, "#")
	switch {
	case c.short && procedure != name && procedure != "":
		source = procedure + ": " + source
		fallthrough
	case !c.calls:
		procedure = ""
	}
	return []string{marks, who, strings.TrimPrefix(where, c.dir), procedure, clip(source, c.most)}
}

// legend writes the components with their numbers and files, and gives the files.
func (x *run) legend(b *strings.Builder, names []string) map[string]string {
	of := x.filesOf()
	for i, name := range names {
		text := name
		if of[name] != "" {
			text += " in " + of[name]
		}
		fmt.Fprintf(b, "  %2d %s\n", i+1, x.how.Wrapped(text, 5))
	}
	return of
}

// filesOf are, by component, the files of their first lines.
func (x *run) filesOf() map[string]string {
	files := map[string]string{}
	for _, r := range x.rows {
		files[r.component] = cmp.Or(files[r.component], r.file)
		for _, o := range r.others {
			if o.Place != nil {
				files[o.Component] = cmp.Or(files[o.Component], o.Place.File)
			}
		}
	}
	return files
}

// filesAndCalls are the files that rows are in, and whether procedures are called.
func (x *run) filesAndCalls() (files []string, calls bool) {
	add := func(file, component, procedure string) {
		if file != "" && !slices.Contains(files, file) {
			files = append(files, file)
		}
		name, _, _ := strings.Cut(component, "#")
		calls = calls || procedure != name
	}
	for _, r := range x.rows {
		add(r.file, r.component, r.procedure)
		for _, o := range r.others {
			if o.Place != nil {
				add(o.Place.File, o.Component, o.Procedure)
			}
		}
	}
	return files, calls
}

// marks are those of the lanes, if there are any.
func (c *rowCells) marks(moving []string) string {
	if c.noLanes {
		return ""
	}
	return marks(c.names, moving)
}

// marks has a column for each component: o if it moves, and lines between those that
// move together.
func marks(names, moving []string) string {
	first, last := len(names), -1
	for i, name := range names {
		if slices.Contains(moving, name) {
			first, last = min(first, i), i
		}
	}
	var b strings.Builder
	for i, name := range names {
		switch {
		case slices.Contains(moving, name):
			b.WriteByte('o')
		case first < i && i < last:
			b.WriteByte('-')
		default:
			b.WriteByte('|')
		}
		switch {
		case i == len(names)-1:
		case first <= i && i < last:
			b.WriteByte('-')
		default:
			b.WriteByte(' ')
		}
	}
	return b.String()
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
	files := x.filesOf()
	same := !slices.ContainsFunc(names, func(n string) bool { return files[n] != files[names[0]] })
	if same && files[names[0]] != "" {
		fmt.Fprintf(b, "  %s\n", x.how.Wrapped("in "+files[names[0]], 2))
	}
	dir := ""
	if !same {
		var all []string
		for _, name := range names {
			all = append(all, files[name])
		}
		if dir = folder(all); dir != "" {
			fmt.Fprintf(b, "  %s\n", x.how.Wrapped("in "+dir, 2))
		}
	}
	n := len(names)
	t := table{right: append([]bool{true}, make([]bool, n+4)...), below: []int{n + 4, n + 3, n + 1}, hang: 1,
		hangs: map[int]int{}}
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
		cells[slices.Index(names, r.component)] = clip(r.lane(files[r.component]), x.most(laneWidth))
		for _, o := range r.others {
			cells[slices.Index(names, o.Component)] = clip(o.lane(files[o.Component]), x.most(laneWidth))
		}
		t.hangs[len(t.rows)] = 1 + slices.Index(names, r.component)
		x.add(&t, r, append(cells, r.branch, r.action, x.specification(r), r.effects()), n+2)
	}
	t.write(b, "  ", x.how)
}

// lane is what stands in the lane of a component whose file is named above it.
func (r *row) lane(file string) string {
	return lane(r.where(r.file != file), r.component, r.procedure, r.source)
}

func (o *Other) lane(file string) string {
	where := o.where(o.Place != nil && o.Place.File != file)
	return lane(where, o.Component, o.Procedure, cmp.Or(o.Source, o.Statement))
}

// where is the place of the other side.
func (o *Other) where(withFile bool) string {
	switch {
	case o.Place == nil:
		return ""
	case withFile:
		return fmt.Sprintf("%s:%d", o.Place.File, o.Place.Line)
	}
	return strconv.Itoa(o.Place.Line)
}

func lane(where, component, procedure, source string) string {
	name, _, _ := strings.Cut(component, "#")
	name, _, _ = strings.Cut(name, "@") // a thread
	text := fmt.Sprintf("%-3s ", where)
	if procedure != name && procedure != "" {
		text += procedure + ": "
	}
	return text + source
}

// text is a value that a variable got, with the one before if it is another.
func (v *Value) text() string {
	if v.State != "" {
		return v.State
	}
	now, before := cmp.Or(v.Named, v.Value), cmp.Or(v.BeforeNamed, v.Before)
	var remarks []string
	if v.Chosen != "" {
		remarks = append(remarks, "chosen: "+v.Chosen)
	}
	if v.Writer != "" {
		remarks = append(remarks, "of "+v.Writer)
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
	switch r.first {
	case 0: // it is no step
		return ""
	case r.last:
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

// effects are the values that variables got.
func (r *row) effects() string {
	values := fold(r.values)
	parts := make([]string, 0, len(values))
	for _, v := range values {
		parts = append(parts, v.text())
	}
	return strings.Join(few(parts), ", ")
}

package harness

// The program that replays a violation of several threads.
//
// Idea: compiled for GCC's thread sanitizer, but without its library, the program calls a function
// before each access to memory. These functions, written here, let an access to what several threads
// access happen when its slot comes in the run; the next call that the thread makes says that it has
// happened. So the order of the accesses is that of the run, between two parts of a statement too.
// Locks are taken when the thread's next slot comes, and are otherwise what they are. Where a specification is violated
// actions have slots too, and the last one is what the specification forbids.
//
// Source: ours. Cost: a slot is waited for by looking at a number again and again.

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"magus/cfa/source"
	"magus/evidence/witness"
)

//go:embed c/threads.c
var threadsRuntime string

// wrapped are functions that wait for other threads or wake them up; the program calls ours.
var wrapped = []string{"pthread_create", "pthread_join", "pthread_mutex_lock", "pthread_mutex_trylock",
	"pthread_mutex_unlock", "pthread_rwlock_rdlock",
	"pthread_rwlock_wrlock", "pthread_spin_lock", "sem_wait", "sem_post", "malloc", "calloc",
	"pthread_cond_wait", "pthread_cond_signal", "pthread_cond_broadcast", "pthread_exit"}

// scheduled are those of them, and others, whose calls have slots where a deadlock or a data race is
// shown. What waits has a function that tries.
var scheduled = []struct{ name, tries string }{
	{"pthread_mutex_lock", "pthread_mutex_trylock"}, {"pthread_mutex_trylock", ""}, {"pthread_mutex_unlock",
		""}, {"pthread_rwlock_rdlock", "pthread_rwlock_tryrdlock"},
	{"pthread_rwlock_wrlock", "pthread_rwlock_trywrlock"}, {"pthread_rwlock_tryrdlock",
		""}, {"pthread_rwlock_trywrlock", ""}, {"pthread_rwlock_unlock", ""},
	{"pthread_spin_lock", "pthread_spin_trylock"}, {"pthread_spin_trylock", ""}, {"pthread_spin_unlock",
		""}, {"sem_wait", "sem_trywait"}, {"sem_trywait", ""}, {"sem_post", ""},
	{"pthread_cond_signal", ""}, {"pthread_cond_broadcast", ""}, // in a deadlock; see wakes in threads.c
	{"pthread_cond_wait", ""}, {"pthread_join", ""}, // which are in threads.c
}

// shows is what the program comes to: 0 an error, 1 a deadlock, 2 a data race.
func (w *writer) shows() int {
	switch s := w.replay.Schedule; {
	case len(s.Stand) > 0:
		return 1
	case len(s.Race) > 0:
		return 2
	}
	return 0
}

// threads is the text of the program that replays a violation of several threads.
func (w *writer) threads() string {
	w.read()
	calls := wrapped
	if w.shows() > 0 {
		for _, f := range scheduled {
			calls = append(calls[:len(calls):len(calls)], f.name)
		}
	}
	for _, s := range w.units {
		w.names[s.Name] = map[string]string{}
		for _, name := range calls {
			w.names[s.Name][name] = "magus_" + name
		}
	}
	var body, b strings.Builder
	edits := w.homes()
	for i, s := range w.units {
		text := apply(s.Text, edits[s.Name])
		if i > 0 {
			text = reInclude().ReplaceAll(text, []byte("${1}import$2"))
		}
		w.unit(&body, s, text)
	}
	body.WriteString("\n/* What the program does not define. */\n\n")
	w.variables(&body)
	w.functions(&body)
	w.undeclared(&body)
	body.WriteString("\nMAGUS_OWN static void magus_place(void)\n{\n")
	for i, c := range w.replay.Schedule.Cells {
		if w.replay.Schedule.Local[i] || slices.ContainsFunc(w.replay.Schedule.Allocations,
			func(a witness.Allocated) bool { return a.Cell == i }) {
			continue
		}
		fmt.Fprintf(&body, "\tmagus_cells[%d].at = (char *)&(%s);\n\tmagus_cells[%d].size = sizeof (%s);\n", i, c, i, c)
	}
	body.WriteString("}\n")
	for _, p := range w.replay.Components {
		for _, m := range p.Missing {
			w.missing = append(w.missing, fmt.Sprintf("%v: %s", m.Pos, m.Text))
		}
	}
	w.comment(&b)
	b.WriteString("#pragma GCC diagnostic ignored \"-Wpragmas\"\n")
	w.tables(&b)
	w.slots(&b)
	b.WriteString(threadsRuntime)
	w.calls(&b)
	b.WriteString(body.String())
	return b.String()
}

// undeclared defines what programs call without saying what it is.
func (w *writer) undeclared(b *strings.Builder) {
	names := slices.Concat(asserts, assumes)
	for _, p := range w.replay.Components {
		for _, c := range p.Choices {
			if c.Called && !slices.Contains(names, c.Name) {
				names = append(names, c.Name)
			}
		}
	}
	for _, name := range names {
		if !slices.ContainsFunc(w.replay.Functions, func(f source.Function) bool { return f.Name == name }) {
			fmt.Fprintf(b, "#undef %s\n", name)
			w.function(b, name, "int "+name+"()", false)
		}
	}
}

// slot writes one as the line of a table.
func (w *writer) slot(b *strings.Builder, t witness.Slot) {
	name := harmless(w.replay.Components[t.Thread].Name)
	if t.Action != "" {
		by, begins := 0, 0
		if n, ok := w.sites[site{name: t.Routine}]; ok && t.Routine != "" {
			by = n + 1
		}
		if t.Begins {
			begins = 1
		}
		w.actions = append(w.actions, t.Action)
		fmt.Fprintf(b, "\t{ %d, -2, %d, %d, %d }, /* %s performs %s, %v */\n", t.Thread, len(w.actions)-1, by, begins, name,
			harmless(t.Action), t.Pos)
		return
	}
	if t.Call != "" {
		k := slices.IndexFunc(scheduled, func(f struct{ name, tries string }) bool { return f.name == t.Call })
		fmt.Fprintf(b, "\t{ %d, -1, %d }, /* %s calls %s, %v */\n", t.Thread, k, name, t.Call, t.Pos)
		return
	}
	write, verb := 0, "reads"
	if t.Write {
		write, verb = 1, "writes"
	}
	fmt.Fprintf(b, "\t{ %d, %d, %d }, /* %s %s %s, %v */\n", t.Thread, t.Cell, write, name, verb,
		w.replay.Schedule.Cells[t.Cell], t.Pos)
}

// calls writes functions that make calls when their slots come.
func (w *writer) calls(b *strings.Builder) {
	if w.shows() == 0 {
		b.WriteString("MAGUS_CALLS\n")
		return
	}
	for k, f := range scheduled[:len(scheduled)-2] {
		if strings.HasPrefix(f.name, "pthread_cond_") {
			fmt.Fprintf(b, map[bool]string{true: "MAGUS_WAKES(%d, %s)\n",
				false: "MAGUS_WAKES_NOBODY(%d, %s)\n"}[w.shows() == 1], k, f.name)
			continue
		}
		tries := "0"
		if f.tries != "" {
			tries = "magus_real_" + f.tries
		}
		fmt.Fprintf(b, "MAGUS_TURNS(%d, %s, %s)\n", k, f.name, tries)
	}
	b.WriteString("MAGUS_WAITS_FOR_CONDITIONS\n")
}

// slots writes the run as tables.
func (w *writer) slots(b *strings.Builder) {
	s := w.replay.Schedule
	b.WriteString("/* The accesses to what several threads access, in the order of the run; " +
		"cell -1 calls, -2 actions, which have numbers in write. */\n")
	fmt.Fprintf(b, "enum { magus_slots_count = %d, magus_cells_count = %d, magus_created_count = %d, "+
		"magus_homes_count = %d };\n", len(s.Slots), len(s.Cells), len(s.Created), len(s.Homes))
	b.WriteString("static struct { int thread, cell, write, routine, begins; } magus_slots[] = {\n")
	for _, t := range s.Slots {
		w.slot(b, t)
	}
	b.WriteString("\t{ -1, 0, 0 }\n};\nstatic const char *const magus_actions[] = { ")
	b.WriteString(strings.Join(append(quoted(w.actions), "0"), ", ") + " };\nstatic const int magus_created[][2] = { ")
	for _, c := range s.Created {
		fmt.Fprintf(b, "{ %d, %d }, ", c[0], c[1])
	}
	b.WriteString("{ -1, -1 } }; /* which thread creates which */\nstatic const int magus_allocations[][3] = { ")
	for _, a := range s.Allocations {
		fails := 0
		if a.Fails {
			fails = 1
		}
		fmt.Fprintf(b, "{ %d, %d, %d }, ", a.Thread, a.Cell, fails)
	}
	b.WriteString("{ -1, -1, 0 } }; /* which thread, which of the variables with slots, whether it fails */\n" +
		"static const int magus_homes[][3] = { ")
	for _, h := range s.Homes {
		fmt.Fprintf(b, "{ %d, %d, %d }, ", w.home(h), h.Thread, h.Cell)
	}
	b.WriteString("{ -1, -1, 0 } }; /* which declaration, which thread comes there, " +
		"which of the variables with slots it declares */\nstatic const char magus_ends[] = { ")
	for _, ends := range s.Ends {
		if ends {
			b.WriteString("1, ")
		} else {
			b.WriteString("0, ")
		}
	}
	b.WriteString("0 }; /* threads that come to their end in the run */\nstatic const char magus_stands[] = { ")
	for t := range w.replay.Components {
		switch {
		case slices.Contains(s.Unsignalled, t):
			b.WriteString("2, ")
		case slices.Contains(s.Stand, t):
			b.WriteString("1, ")
		default:
			b.WriteString("0, ")
		}
	}
	performs := 0
	if s.Performs {
		performs = 1
	}
	fmt.Fprintf(b, "0 }; /* threads that wait for ever; 2: for a signal */\n"+
		"enum { magus_performs = %d, magus_shows = %d, magus_standing = %d, magus_of_cond_wait = %d, "+
		"magus_of_join = %d };\nstatic const struct { int thread, cell, write; } magus_race[] = {\n", performs,
		w.shows(), len(s.Stand), len(scheduled)-2, len(scheduled)-1)
	for _, t := range s.Race {
		w.slot(b, t)
	}
	fmt.Fprintf(b, "\t{ -1, 0, 0 }\n};\nstatic const char *const magus_cell_names[] = { %s };\n\n",
		strings.Join(append(quoted(s.Cells), "0"), ", "))
}

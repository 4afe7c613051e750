package cli

// Programs that replay violations: `magus check --harness`.

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"magus/internal/harness"
)

// keepReplay keeps what a violation needs, if a harness is asked for.
func (r *run) keepReplay(s Session) {
	if r.flags.harness == "" {
		return
	}
	if replay := s.Replay(); replay != nil {
		r.replays = append(r.replays, replay)
	}
}

// writeHarnesses writes a program for each violation: the first one in the
// file that was named, out.c, the next one in out-2.c.
func (r *run) writeHarnesses() error {
	name := r.flags.harness
	if name == "" {
		return nil
	}
	if len(r.replays) == 0 {
		fmt.Fprintf(r.world.Stderr, "magus: no violation to replay: %s is not written\n", name)
	}
	for i, replay := range r.replays {
		file := name
		if i > 0 {
			ext := filepath.Ext(name)
			file = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(name, ext), i+1, ext)
		}
		text := harness.Write(replay, r.read.C, harness.Settings{Defines: r.flags.define, Undefs: r.flags.undefine})
		if err := r.world.writeFile(file, func(out io.Writer) error { _, err := out.Write(text); return err }); err != nil {
			return err
		}
		fmt.Fprintf(r.world.Stderr, "magus: %s: compile it with %s; exit status 1 means that the violation happened\n", file, r.compiler(file))
	}
	return nil
}

// compiler is the command that compiles a harness.
func (r *run) compiler(file string) string {
	words := []string{"cc", "-w"}
	var dirs []string
	for _, u := range r.read.C {
		dirs = append(append(dirs, filepath.Dir(u.Name)), u.IncludeDirs...)
	}
	for i, dir := range append(dirs, r.flags.include...) {
		if !slices.Contains(dirs[:min(i, len(dirs))], dir) {
			words = append(words, "-I"+dir)
		}
	}
	return strings.Join(append(words, "-o", strings.TrimSuffix(file, filepath.Ext(file)), file), " ")
}

package job

// What earlier checks have found out, in a folder.
//
// Idea: a check leaves the predicates that it has chosen, the traces that level two has refuted, and the answers that
// abstract posts were made of in a file for each claim, and the next check of
// that claim, by the files' names, begins with them (package cegar says what rests on them). Answers are taken over
// only from the same build of the program, for another one may have mended how it answers. A check that ran out of
// time goes on in this way too. A file that is not
// what a check left - another format, another claim, changed bytes - is not used, and that is
// said; so is what has no meaning any more in the program as it is now.
//
// Cost: one small file read and written for each claim.

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"magus/app/input"
	"magus/app/outfile"
	"magus/engine/cegar"
	"magus/internal/phrase"
)

// predicatesFormat names the form of the files.
const predicatesFormat = "magus predicates 2"

// predicatesFile is a file.
type predicatesFile struct {
	Format     string
	Claim      string
	Files      []string
	Build      string // of the program
	Sum        string // of the rest
	Components json.RawMessage
}

// A resumer begins with predicates of an earlier session, as [cegar.Session] does.
type resumer interface {
	Leave() cegar.Left
	Begin(cegar.Left)
	Recalled() (used, all int)
}

// predicates are what earlier checks have left.
type predicates struct {
	dir   string
	files []string // of the question, without their folders
	build string   // of the program
	seen  func(path string)
}

func (r *Run) predicates() *predicates {
	if r.options.Cache == "" {
		return nil
	}
	p := &predicates{dir: r.host.Dir.Path(r.options.Cache), build: r.build(), seen: r.host.Seen}
	for _, u := range r.Question.Program.C {
		p.files = append(p.files, filepath.Base(u.Name))
	}
	for _, u := range r.Question.Program.Specs {
		p.files = append(p.files, filepath.Base(u.Name))
	}
	return p
}

// path is the file of a claim.
func (p *predicates) path(claim string) string {
	sum := sha256.Sum256([]byte(claim + "\x00" + strings.Join(p.files, "\x00")))
	return filepath.Join(p.dir, fmt.Sprintf("%x.predicates", sum[:12]))
}

// begin has a session begin with what is there. The text says why it is not used.
func (p *predicates) begin(claim string, s resumer) (said string) {
	path := p.path(claim)
	if p.seen != nil {
		p.seen(path)
	}
	var left cegar.Left
	text, err := input.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		said = fmt.Sprintf("%s: the check begins anew: %s", path, input.Cause(err))
	default:
		var why string
		if left, why = p.read(claim, text); why != "" {
			said = fmt.Sprintf("%s: the check begins anew: %s", path, why)
		}
	}
	s.Begin(left)
	return said
}

// forgotten says how much of what was there had no meaning in the program as it is now.
func (p *predicates) forgotten(claim string, s resumer) string {
	used, all := s.Recalled()
	if used == all {
		return ""
	}
	has := "have"
	if all-used == 1 {
		has = "has"
	}
	return fmt.Sprintf("%s: %d of %s of the earlier check %s no meaning any more",
		p.path(claim), all-used, phrase.Plural(all, "predicate"), has)
}

// read is what a file holds; why says why it is not used.
func (p *predicates) read(claim string, text []byte) (left cegar.Left, why string) {
	var f predicatesFile
	if err := json.Unmarshal(text, &f); err != nil || f.Format == "" {
		return left, "it is no file of predicates, or not whole"
	}
	switch {
	case f.Format != predicatesFormat:
		return left, fmt.Sprintf("it is of another version, %q", f.Format)
	case f.Sum != f.sum():
		return left, "it was changed since a check has written it"
	case f.Claim != claim || strings.Join(f.Files, "\x00") != strings.Join(p.files, "\x00"):
		return left, "it is about another claim: " + f.Claim
	case json.Unmarshal(f.Components, &left) != nil:
		return cegar.Left{}, "its predicates cannot be read"
	}
	if f.Build != p.build || p.build == "" {
		left.Answers = nil
	}
	return left, ""
}

// build is the digest of the executable file. A version or a revision would not do, for sources may be changed without
// another one.
func build() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", sum.Sum(nil)), nil
}

func (f *predicatesFile) sum() string {
	return fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%q %q %q %s", f.Claim, f.Files, f.Build, f.Components)))
}

// keep writes what a session leaves; nothing if it leaves nothing.
func (p *predicates) keep(claim string, left cegar.Left) error {
	if len(left.Predicates)+len(left.Traces)+len(left.Answers) == 0 {
		return nil
	}
	f := predicatesFile{Format: predicatesFormat, Claim: claim, Files: p.files, Build: p.build}
	var err error
	if f.Components, err = json.Marshal(left); err != nil {
		return err
	}
	f.Sum = f.sum()
	text, err := json.Marshal(f)
	if err != nil {
		return err
	}
	return outfile.Keep(p.path(claim), text)
}

package cli

// Results of claims that were checked before.
//
// Idea: a result is that of its question: the program, options, the claim's files, everything that was read
// on their behalf, and which files were looked for in vain. So a record of a result names
// all that, with digests, and is taken over only if each is the same now. A folder of records
// (--cache) keeps what was decided; a journal (--resume) keeps whatever came out, line by line, so that a run that
// was killed can go on.
//
// Cost: one record for each claim and set of options, the last one.

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"magus"
	"magus/app/input"
	"magus/app/job"
	"magus/app/outfile"
	"magus/app/report"
)

// A record is a result with what it depends on.
type record struct {
	Key    string
	Read   []digest
	Missed []input.Missed // names under which nothing was read
	Claim  report.Claim
}

// A digest is that of a file, with how it was reached.
type digest struct {
	Path, SHA256 string
	Standing     input.Standing
}

// A store has records. The nil store has none.
type store struct {
	identity string // of the program
	dir      string // of --cache; "" for none

	mu       sync.Mutex
	journal  *os.File // of --resume; nil for none
	finished map[string]record
	said     func(string)
}

// newStore opens what the flags ask for; nil if they ask for nothing.
func newStore(w *World, cache, journal string) (*store, error) {
	if cache == "" && journal == "" {
		return nil, nil
	}
	s := &store{finished: map[string]record{}, said: func(text string) { fmt.Fprintln(w.Stderr, "magus: "+text) }}
	var err error
	if s.identity, err = w.Build(); err != nil {
		return nil, err
	}
	if cache != "" {
		s.dir = w.Dir.Path(cache)
	}
	if journal != "" {
		return s, s.resume(w.Dir.Path(journal))
	}
	return s, nil
}

// journalTitle is the first line of a journal.
const journalTitle = "magus suite results 1\n"

// resume reads the journal and opens it to go on. A last line that is not whole was being written when the run ended.
// What is no journal is left alone.
func (s *store) resume(path string) error {
	text, err := input.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return input.Errorf("%s: %s", path, input.Cause(err))
	}
	lines, ours := bytes.CutPrefix(text, []byte(journalTitle))
	if !ours && !strings.HasPrefix(journalTitle, string(text)) {
		return noJournal(path, 1)
	}
	whole := bytes.LastIndexByte(lines, '\n') + 1
	for n, line := range bytes.Split(lines[:whole], []byte("\n")) {
		if len(line) == 0 {
			continue
		}
		r, ok := unsealed(line)
		if !ok {
			return noJournal(path, n+2)
		}
		s.finished[r.Key] = r
	}
	if s.journal, err = os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o666); err != nil {
		return input.Errorf("%s: %s", path, input.Cause(err))
	}
	end := int64(0)
	if ours {
		end = int64(len(journalTitle) + whole)
	}
	if err = s.journal.Truncate(end); err == nil {
		_, err = s.journal.Seek(end, io.SeekStart)
	}
	if err == nil && !ours {
		_, err = s.journal.WriteString(journalTitle)
	}
	return err
}

// noJournal is the error of a line that is none of a journal.
func noJournal(path string, line int) error {
	return input.Errorf("%s:%d: no result of a suite that was interrupted; name another file with --resume, or remove it",
		path, line)
}

// close closes the journal.
func (s *store) close() error {
	if s == nil || s.journal == nil {
		return nil
	}
	return s.journal.Close()
}

// sealed is a record as a line, with a sum that tells whether it was changed.
func sealed(r record) []byte {
	text, err := json.Marshal(r)
	if err != nil {
		panic(err) // it has only what JSON can say
	}
	return fmt.Appendf(nil, "%x %s\n", sha256.Sum256(text), text)
}

func unsealed(line []byte) (r record, ok bool) {
	sum, text, ok := bytes.Cut(bytes.TrimSuffix(line, []byte("\n")), []byte(" "))
	if !ok || string(sum) != fmt.Sprintf("%x", sha256.Sum256(text)) {
		return r, false
	}
	return r, json.Unmarshal(text, &r) == nil
}

// key is that of a claim with its options: what can be known before anything is read.
func (s *store) key(c *suiteCase) string {
	return fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%q %q %q %q %q", s.identity, input.CompilerDirs(),
		filepath.Dir(c.Suite), c.claim.Files, c.claim.Options)))
}

// find is the record of a claim, if nothing has changed since.
func (s *store) find(c *suiteCase, dir input.Dir) (record, bool) {
	if s == nil {
		return record{}, false
	}
	key := s.key(c)
	s.mu.Lock()
	r, ok := s.finished[key]
	s.mu.Unlock()
	if !ok && s.dir != "" {
		r, ok = s.load(key)
	}
	if !ok || r.Key != key || !r.current(dir) {
		return record{}, false
	}
	return r, true
}

// load reads a record of the cache.
func (s *store) load(key string) (record, bool) {
	path := s.path(key)
	text, err := input.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return record{}, false
	}
	r, ok := unsealed(text)
	if err != nil || !ok || r.Key != key {
		s.said(path + ": not used: it is no result that a suite has left there, or it was changed")
		return record{}, false
	}
	return r, true
}

func (s *store) path(key string) string { return filepath.Join(s.dir, key[:24]+".result") }

// current reports whether the files are as they were. A regular file that could not be read is never known to be.
func (r *record) current(dir input.Dir) bool {
	for _, m := range r.Missed {
		if m.Standing.IsFile() || dir.Standing(m.Path) != m.Standing {
			return false
		}
	}
	for _, d := range r.Read {
		if !d.Standing.IsFile() || dir.Standing(d.Path) != d.Standing {
			return false
		}
		text, err := input.ReadFile(dir.Path(d.Path))
		if err != nil || digestOf(text) != d.SHA256 {
			return false
		}
	}
	return true
}

// digestOf is the digest of a text as it is read: without a byte-order mark.
func digestOf(text []byte) string {
	return fmt.Sprintf("%x", sha256.Sum256(bytes.TrimPrefix(text, []byte("\ufeff"))))
}

// digests are those of what a question has read; none of a question that there is not.
func digests(q *job.Question) []digest {
	var all []digest
	if q != nil {
		for _, t := range q.Read() {
			all = append(all, digest{t.Path, digestOf(t.Text), t.Standing})
		}
	}
	return all
}

// keep keeps the result of a claim: in the journal whatever it is, in the cache if it was decided.
func (s *store) keep(c *suiteCase, q *job.Question, claim report.Claim) {
	if s == nil || q == nil || c.unsure {
		return
	}
	r := record{Key: s.key(c), Read: c.read, Missed: q.Missed(), Claim: claim}
	line := sealed(r)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.journal != nil {
		if _, err := s.journal.Write(line); err != nil {
			s.said("the result is not kept: " + err.Error())
		}
	}
	if s.dir == "" || claim.Verdict == magus.Unknown.String() {
		return
	}
	if err := outfile.Keep(s.path(r.Key), line); err != nil {
		s.said("the result is not kept: " + err.Error())
	}
}

package job

// What earlier checks of rules have decided, in a folder.
//
// Idea: a record of a rule and a root is taken over if what was looked at is the same now. There are three ways to
// know. All that was read is the same, or all of it that the root may depend on is (cfa/source, slice.go): then
// nothing has to be lowered. Or what the engine works on is: the data of the first session by their digest
// (rules_model.go), and of each time that the component was lowered once more on the way, with recursion followed
// deeper or a body inlined, the automaton's. Since the engine asks for these by what it has found in those before,
// equal ones mean equal steps. By the last way only proofs are taken over, for a finding shows lines of the text and
// names of values, which the automaton does not have. What is undecided by a fault is not kept, nor what is by a limit
// of time or memory, but for the parts of one check (rules_parts.go), which are of one program.
//
// A record is that of one build of the program, one set of options, and one text of the specifications. It has a sum:
// what is damaged, or was written by another build, is not used, which is told where the file is no record at all.
//
// Cost: one small file for each rule and root, the last one. The last way costs what lowering costs.

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"magus"
	"magus/app/input"
	"magus/app/outfile"
	"magus/app/report"
	"magus/component"
	"magus/engine/cegar"
	"magus/evidence/verdict"
	"magus/specs"
)

// ruleFormat names the form of the records.
const ruleFormat = "magus rule result 2"

// A ruleRecord is what came of a rule and a root, with what it rests on.
type ruleRecord struct {
	Format, Key string
	Program     string      // the digest of all that was read, and of what is said of it
	Slice       string      // the digest of what of it the root may depend on
	Limits      string      // of time and memory
	Models      []ruleModel // nil: they are not known
	Inlined     []string
	Whole       bool
	Claim       report.Claim
	Assumes     []report.Remark // by the claim itself, not for contracts
}

// A ruleModel is an automaton that was looked at: with recursion followed to a depth, and bodies inlined.
type ruleModel struct {
	Depth   int
	Inlined []string
	Digest  string
}

// A ruleStore has records. The nil store has none.
type ruleStore struct {
	dir     string
	base    string // digest of all that a key has but the rule and the root
	program string
	slices  map[string]string      // by key
	ahead   map[string]*ruleRecord // that were loaded, by key
	said    func(string)
	heard   map[string]bool // what was said, which is said once
	limits  string
	// what is undecided by a limit is kept, and taken over where all that was read, and the limits, are the same
	limited bool
	mu      sync.Mutex
}

// Cache takes over what earlier checks have left in a folder, and leaves there what is decided. What cannot be used, or
// kept, is said. limited says that what is undecided by a limit is kept too, and taken over where nothing has changed.
func (r *Rules) Cache(dir string, limited bool, said func(string)) error {
	if dir == "" || r.run.Question == nil || r.run.options.Solver != "embedded" { // another program may be another one
		return nil
	}
	build, err := r.run.host.Build()
	if err != nil {
		return err
	}
	o := SessionOptions(r.run.host, r.run.options)
	forRules(&o)
	options, err := dataDigest(nil, o)
	if err != nil {
		return err
	}
	in := r.input
	in.ReadFile, in.Options.ReadFile = nil, nil
	read, err := dataDigest(nil, in, r.run.Question.Read(), r.run.Question.Missed(), r.run.options.Wrappers,
		r.run.options.InlineSize)
	if err != nil {
		return err
	}
	specifications := slices.DeleteFunc(slices.Clone(r.run.Question.Read()), func(t input.Text) bool {
		return input.KindOf(t.Path) == input.C
	})
	texts, err := dataDigest(nil, specifications, in.Specs, int(in.Options.Model)+16*in.Options.Evaluation,
		int(in.Options.LongDouble))
	if err != nil {
		return err
	}
	r.kept = &ruleStore{dir: r.run.host.Dir.Path(dir), program: read, said: said, heard: map[string]bool{},
		limited: limited,
		limits:  fmt.Sprint(r.run.options.FunctionTimeout, r.run.options.MemoryLimit),
		base:    fmt.Sprintf("%q", []string{ruleFormat, build, options, texts})}
	return r.slice()
}

// slice notes what of the program each root may depend on.
func (r *Rules) slice() error {
	r.kept.slices = map[string]string{}
	for _, q := range r.Questions {
		for _, rule := range []*specs.Rule{q.Rule, q.Besides} {
			if rule == nil {
				continue
			}
			sum, err := dataDigest(nil, rule)
			if err != nil {
				return err
			}
			for _, entry := range slices.Concat(q.Roots, q.Callbacks) {
				slice, _ := r.project.RuleSlice(q, entry)
				r.kept.slices[r.kept.key(q, rule, entry)] = sum + slice
			}
			if rule == q.Rule {
				for _, name := range q.Callees {
					slice, _ := r.project.RuleSlice(q, name)
					r.kept.slices[q.Rule.Name+" "+name] = sum + slice
				}
			}
		}
	}
	return nil
}

// key is that of a rule and a root; besides tells what is looked for besides a rule from the rule.
func (s *ruleStore) key(q magus.RuleQuestion, rule *specs.Rule, entry string) string {
	file, plain := q.Body(entry)
	return hashOf("%s %q %v %q %q %q", s.base, rule.Name, rule != q.Rule, entry, file, plain)
}

// contractKey is that of the claim that a procedure keeps a state of a rule.
func (s *ruleStore) contractKey(q magus.RuleQuestion, name string, state int, returns []int,
	within magus.Contracts) string {
	file, plain := q.Body(name)
	return hashOf("%s contract %q %d %d %q %q %q %v", s.base, q.Rule.Name, state, returns, name, file, plain, within)
}

// hashOf is the digest of a text.
func hashOf(format string, args ...any) string {
	return fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, format, args...)))
}

func (s *ruleStore) path(key string) string { return filepath.Join(s.dir, key[:24]+".rule") }

// load is the record of a key, nil if there is none that may be used.
func (s *ruleStore) load(key string) *ruleRecord {
	path := s.path(key)
	text, err := input.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	r, ok := readRecord(text)
	if err != nil || !ok || r.Key != key {
		s.say(path + ": not used: it is no result that a check of rules has left there, or it was changed")
		return nil
	}
	if !s.keeps(r.Claim) || magus.Kind(r.Claim.Kind).Limit() && r.Limits != s.limits {
		return nil
	}
	return &r
}

// readRecord is the record that a text is, if it is one that a check has written.
func readRecord(text []byte) (r ruleRecord, ok bool) {
	sum, rest, ok := strings.Cut(strings.TrimSuffix(string(text), "\n"), " ")
	return r, ok && sum == fmt.Sprintf("%x", sha256.Sum256([]byte(rest))) &&
		json.Unmarshal([]byte(rest), &r) == nil && r.Format == ruleFormat
}

func (s *ruleStore) say(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.heard[text] {
		s.heard[text] = true
		s.said(text)
	}
}

// keep writes a record.
func (s *ruleStore) keep(r *ruleRecord) {
	text, err := json.Marshal(r)
	if err == nil {
		err = outfile.Keep(s.path(r.Key), fmt.Appendf(nil, "%x %s\n", sha256.Sum256(text), text))
	}
	if err != nil {
		s.say("the result is not kept: " + err.Error())
	}
}

// keeps reports whether what came out is kept: what is decided, or undecided for a reason that is neither a fault nor,
// unless that is asked for, a limit.
func (s *ruleStore) keeps(c report.Claim) bool {
	if c.Verdict != magus.Unknown.String() {
		return true
	}
	k := magus.Kind(c.Kind)
	return c.Kind != "" && k != verdict.Fault && k != verdict.Interrupted &&
		(s.limited || !k.Limit() && c.Divergence == nil)
}

// unchanged is what an earlier check has found out about a program of which all is the same, or all that a root may
// depend on. slice is the digest of those.
func (s *ruleStore) unchanged(key, slice string) (result RuleResult, r *ruleRecord, ok bool) {
	if s == nil {
		return result, nil, false
	}
	r = s.loaded(key)
	if r == nil || r.Program != s.program && (magus.Kind(r.Claim.Kind).Limit() || slice == "" || r.Slice != slice) {
		return result, r, false
	}
	return RuleResult{Result: Result{Claim: r.Claim}, Inlined: r.Inlined, Whole: r.Whole, Kept: true}, r, true
}

// loaded is the record of a key, loaded once.
func (s *ruleStore) loaded(key string) *ruleRecord {
	s.mu.Lock()
	r, ok := s.ahead[key]
	s.mu.Unlock()
	if ok {
		return r
	}
	return s.load(key)
}

// hasMost reports whether an earlier check has decided most of some roots. It loads their records ahead.
func (s *ruleStore) hasMost(roots []*RuleRoot, questions []magus.RuleQuestion) bool {
	if s == nil {
		return false
	}
	has := 0
	s.ahead = map[string]*ruleRecord{}
	for _, root := range roots {
		q := questions[root.Question]
		key := s.key(q, q.Rule, root.Entry)
		_, record, ok := s.unchanged(key, s.slices[key])
		if ok {
			has++
		}
		s.ahead[key] = record
	}
	return 2*has > len(roots)
}

// proved reports whether a record's proof is one of this claim, whose session has not begun.
func (r *ruleRecord) proved(ctx context.Context, c *magus.Claim, o magus.Options, m *modelled) bool {
	if r == nil || m == nil || r.Claim.Verdict != magus.Conforms.String() || len(r.Models) == 0 ||
		r.Models[0].Digest != m.models[0].Digest {
		return false
	}
	for _, m := range r.Models[1:] {
		modelling := o.Modelling
		modelling.Recursion = m.Depth
		auto, err := c.Lower(ctx, 0, component.Options{Modelling: modelling, Inlined: m.Inlined})
		if err != nil {
			return false
		}
		if sum, err := automatonDigest(auto); err != nil || sum != m.Digest {
			return false
		}
	}
	return true
}

// A modelled session notes the automata that it works on.
type modelled struct {
	Session
	viewed Viewed
	models []ruleModel
	unsure bool // not all of them are known
}

// modelled is a session whose automata are noted; nil if it is none whose automata can be known, or without a store.
func (s *ruleStore) modelled(of Session, o magus.Options) *modelled {
	viewed, ok := of.(Viewed)
	if s == nil || !ok {
		return nil
	}
	sum, err := modelDigest(viewed.View())
	if err != nil {
		return nil
	}
	return &modelled{Session: of, viewed: viewed, models: []ruleModel{{Depth: o.Modelling.Recursion, Digest: sum}}}
}

// View implements [Viewed].
func (m *modelled) View() cegar.View { return m.viewed.View() }

// Step implements [Session].
func (m *modelled) Step(ctx context.Context) magus.Event {
	e := m.Session.Step(ctx)
	last := m.models[len(m.models)-1]
	switch e := e.(type) {
	case cegar.RecursionFollowed:
		m.note(e.Depth, last.Inlined)
	case cegar.BodyInlined:
		inlined := append(slices.Clone(last.Inlined), e.Routine)
		slices.Sort(inlined)
		m.note(last.Depth, inlined)
	}
	return e
}

// known are the automata, nil if not all of them are known.
func (m *modelled) known() []ruleModel {
	if m == nil || m.unsure {
		return nil
	}
	return m.models
}

// note notes the automaton that the session works on now.
func (m *modelled) note(depth int, inlined []string) {
	v := m.View()
	if len(v.Components) != 1 {
		m.unsure = true
		return
	}
	sum, err := automatonDigest(v.Components[0].CFA)
	m.unsure = m.unsure || err != nil
	m.models = append(m.models, ruleModel{depth, inlined, sum})
}

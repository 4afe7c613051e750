package lsp

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"magus"
	"magus/app/input"
	"magus/app/job"
	"magus/app/report"
	"magus/cfa"
	"magus/component"
	"magus/internal/pattern"
	"magus/specs"
)

// The weights of findings.
const (
	isError       = protocol.DiagnosticSeverityError
	isWarning     = protocol.DiagnosticSeverityWarning
	isInformation = protocol.DiagnosticSeverityInformation
)

// A finding is something to be said about a place.
type finding struct {
	path     string
	from     int // an offset
	severity protocol.DiagnosticSeverity
	message  string
	related  []related
	hints    []hint
}

// A related place is part of a finding's explanation.
type related struct {
	path string
	from int
	text string
}

// diagnostic is a finding on a text for the protocol.
func (f finding) diagnostic(s *server, t *text) protocol.Diagnostic {
	d := protocol.Diagnostic{
		Range: t.extent(f.from), Severity: f.severity,
		Source: protocol.NewOptional("magus"), Message: protocol.String(s.short(f.message)),
	}
	for _, r := range f.related {
		other := t
		if r.path != f.path {
			if other = s.docs.text(r.path); other == nil {
				continue
			}
		}
		d.RelatedInformation = append(d.RelatedInformation, protocol.DiagnosticRelatedInformation{
			Location: protocol.Location{URI: uri.File(r.path), Range: other.extent(r.from)}, Message: r.text})
	}
	return d
}

// short is a text in which files are named as within the workspace.
func (s *server) short(text string) string {
	for _, dir := range s.folders {
		text = strings.ReplaceAll(text, dir+string(filepath.Separator), "")
	}
	return text
}

// findingsOf are the findings that an error stands for; those without a place are
// about a file.
func (s *server) findingsOf(err error, file string) (all []finding) {
	var inC cfa.Errors
	var inSpecs specs.ErrorList
	var inSpec *specs.Error
	var mistake *component.InputError
	var unsupported *cfa.UnsupportedError
	var said *input.Error
	switch {
	case errors.As(err, &inC):
		for _, e := range inC {
			all = append(all, s.remark(e.Pos, isError, e.Msg, file))
		}
	case errors.As(err, &inSpecs):
		for _, e := range inSpecs {
			all = append(all, s.inSpec(e, file))
		}
	case errors.As(err, &inSpec):
		all = append(all, s.inSpec(inSpec, file))
	case errors.As(err, &mistake):
		all = append(all, s.specRemark(specs.Pos(mistake.Pos), isError, mistake.Msg, file))
	case errors.As(err, &unsupported):
		text := "not modelled: " + unsupported.What
		if unsupported.Hint != "" {
			text += " (" + unsupported.Hint + ")"
		}
		all = append(all, s.remark(unsupported.Pos, isInformation, text, file))
	case errors.As(err, &said):
		all = s.readingErrors(said.Message, file)
	default:
		all = append(all, finding{path: file, severity: isError, message: err.Error()})
	}
	return all
}

func (s *server) inSpec(e *specs.Error, file string) finding {
	severity := isError
	if e.NotModelled {
		severity = isInformation
	}
	return s.specRemark(e.Pos, severity, e.Message, file)
}

// placed is a line of a message that begins with a place.
var placed = pattern.New(`^(.+?):(\d+):(\d+): (.*)$`)

// readingErrors are the findings that messages of several lines stand for.
func (s *server) readingErrors(message, file string) (all []finding) {
	for line := range strings.Lines(message) {
		line = strings.TrimRight(line, "\n")
		if m := placed().FindStringSubmatch(line); m != nil {
			n, _ := strconv.Atoi(m[2])
			col, _ := strconv.Atoi(m[3])
			all = append(all, s.remark(cfa.Pos{File: m[1], Line: n, Col: col}, isError, m[4], file))
		} else if !strings.HasPrefix(line, "  ") {
			all = append(all, finding{path: file, severity: isError, message: line})
		}
	}
	return all
}

// remark is a finding at a place, whose columns count bytes but in specifications.
func (s *server) remark(at cfa.Pos, severity protocol.DiagnosticSeverity, message, file string) finding {
	if input.KindOf(at.File) == input.Spec {
		return s.specRemark(specs.Pos(at), severity, message, file)
	}
	f := finding{path: file, severity: severity, message: message}
	if t := s.docs.text(at.File); t != nil && at.IsValid() {
		f.path, f.from = at.File, t.ofBytes(at.Line, at.Col)
	} else if at.IsValid() {
		f.message = at.String() + ": " + message // in a header that is no file
	}
	return f
}

// specRemark is a finding at a place of a specification.
func (s *server) specRemark(at specs.Pos, severity protocol.DiagnosticSeverity, message, file string) finding {
	f := finding{path: file, severity: severity, message: message}
	if t := s.docs.text(at.File); t != nil && at.IsValid() {
		f.path, f.from = at.File, t.ofCharacters(at.Line, at.Col)
	}
	return f
}

// preparing is how long the claims of a group may take to be prepared.
const preparing = 5 * time.Second

// findings are all that is wrong with the texts of a group. What only shows when a claim
// is prepared, a guard about a variable that is not there, say, is looked for the
// first time that somebody asks.
func (x *index) findings(ctx context.Context) []finding {
	if x.project != nil {
		x.deep.Do(func() { x.deeper = x.prepare(ctx) })
	}
	return append(append([]finding{}, x.wrong...), x.deeper...)
}

// prepare finds what is wrong with the claims.
func (x *index) prepare(ctx context.Context) (all []finding) {
	ctx, cancel := job.Within(ctx, preparing)
	defer cancel()
	for _, c := range x.claims {
		session, err := x.project.NewSession(ctx, c, job.SessionOptions(x.server.settings.Host, x.options))
		if err == nil {
			session.Close()
			continue
		}
		if ctx.Err() != nil {
			return all
		}
		all = append(all, x.server.findingsOf(err, x.claimPath(c))...)
	}
	return all
}

// claimPath is the file that a claim stands in.
func (x *index) claimPath(c *magus.Claim) string {
	if c.Pos.IsValid() {
		return c.Pos.File
	}
	return x.group.files[0]
}

// violation is the finding of a counterexample.
func (s *server) violation(c report.Claim, file string) finding {
	f := finding{path: file, severity: isError, message: report.Headline(c)}
	x := c.Counterexample
	if end := x.End(); end != nil {
		f = s.remark(cfa.Pos{File: end.File, Line: end.Line, Col: end.Column}, isError, f.message, file)
	}
	f.hints = hintsOf(x)
	for _, st := range x.Specification {
		if st.Place != nil {
			text := "the specification is in " + st.Name
			if x.SaysAllowed() && len(x.Allowed) > 0 {
				text += ", which allows " + strings.Join(x.Allowed, ", ")
			}
			f.relate(s, st.Place, text)
		}
	}
	for i, st := range x.Steps {
		if st.Place == nil || len(f.related) >= maxRelated || st.Action == "" && st.Branch == "" &&
			len(st.Values) == 0 && st.Rounds == nil {
			continue
		}
		text := strconv.Itoa(i+1) + ". "
		if len(c.Procedures) > 1 {
			text += st.Component + ": "
		}
		if st.Action != "" {
			text += st.Action + ": "
		}
		text += cmp.Or(st.Source, st.Statement)
		if st.Branch != "" {
			text += "  // " + st.Branch
		}
		for _, v := range st.Values {
			text += "  " + cmp.Or(v.State, v.Name+" = "+v.Value)
		}
		f.relate(s, st.Place, text)
	}
	return f
}

// maxRelated is how many places explain a finding; editors show them one below the other.
const maxRelated = 60

// relate adds a place of the explanation.
func (f *finding) relate(s *server, at *report.Place, text string) {
	r := s.remark(cfa.Pos{File: at.File, Line: at.Line, Col: max(1, at.Column)}, isInformation, text, f.path)
	f.related = append(f.related, related{r.path, r.from, text})
}

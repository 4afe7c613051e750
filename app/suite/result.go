package suite

// Results of a suite, as a document that another run can read.

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"magus/app/report"
)

// DocumentSchema names the version of the form.
const DocumentSchema = "magus-suite-2"

// A Document is what a run of suites, or a shard of it, came to.
type Document struct {
	Schema  string `json:"schema"` // DocumentSchema
	Sum     string `json:"sum"`    // that tells whether the text was changed: the digest of it with zeros for the sum
	Version string `json:"version"`
	Suites  []File `json:"suites"`
	// Sources are what claims of the results read, in the order of their names.
	Sources     []File   `json:"sources,omitempty"`
	Claims      int      `json:"claims"` // in all suites, whether they are of the shard or not
	Interrupted bool     `json:"interrupted,omitempty"`
	Results     []Result `json:"results"`
}

// A File is one that was read.
type File struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
}

// A Result is a claim, with what came out.
type Result struct {
	Number  int      `json:"number"` // of all claims of all suites, from 0
	Suite   string   `json:"suite"`
	Group   string   `json:"group,omitempty"`
	Line    int      `json:"line,omitempty"`
	Title   string   `json:"title"`
	Expect  string   `json:"expected"`
	Trace   []string `json:"trace,omitempty"` // that is expected
	Verdict string   `json:"verdict,omitempty"`
	Seconds float64  `json:"seconds"`
	// Kept says that the result is that of an earlier run; Passed over, that nothing that the claim reads has changed.
	Kept       bool   `json:"kept,omitempty"`
	PassedOver bool   `json:"passedOver,omitempty"`
	Failure    string `json:"failure,omitempty"` // what there is instead of what was expected
	Mistake    string `json:"mistake,omitempty"` // why the claim could not be checked
	Detail     string `json:"detail,omitempty"`  // the run that violates, where it was not expected
	// Report is that of the check, with names of files as the claim's folder has them; nil if there is none.
	Report *report.Claim `json:"report,omitempty"`
}

// Name is the suite, with the group.
func (r *Result) Name() string {
	if r.Group == "" {
		return r.Suite
	}
	return r.Suite + ": " + r.Group
}

// Wrong is what is wrong, or "".
func (r *Result) Wrong() string { return cmp.Or(r.Mistake, r.Failure) }

// Write writes a document with its sum.
func Write(w io.Writer, d *Document) error {
	unsummed := *d
	unsummed.Sum = noSum
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(&unsummed); err != nil {
		return err
	}
	_, err := io.WriteString(w, strings.Replace(b.String(), noSum, sum(b.Bytes()), 1))
	return err
}

// noSum stands for the sum where that is made.
var noSum = strings.Repeat("0", 2*sha256.Size)

func sum(text []byte) string { return fmt.Sprintf("%x", sha256.Sum256(text)) }

// Read reads a document as [Write] has written it. The error is one line and names the file.
func Read(name string, text []byte) (*Document, error) {
	var d Document
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, fmt.Errorf("%s: no results of a suite: %v", name, err)
	}
	if d.Schema != DocumentSchema {
		return nil, fmt.Errorf("%s: no results of a suite in the form %s", name, DocumentSchema)
	}
	if len(d.Sum) != len(noSum) || sum(bytes.Replace(text, []byte(d.Sum), []byte(noSum), 1)) != d.Sum {
		return nil, fmt.Errorf("%s: the results were changed since magus suite has written them", name)
	}
	return &d, nil
}

// Merge puts the documents of shards together. There must be every claim, and once.
func Merge(names []string, docs []*Document) (*Document, error) {
	if len(docs) == 0 {
		return nil, errors.New("there are no results")
	}
	first := docs[0]
	all := &Document{Schema: DocumentSchema, Version: first.Version, Suites: first.Suites, Claims: first.Claims}
	from, sources := map[int]string{}, map[string]source{}
	for i, d := range docs {
		switch other := other(sources, d.Sources); {
		case other != "":
			return nil, fmt.Errorf("%s is another file for %s than for %s", other, names[i], sources[other].from)
		case d.Version != first.Version:
			return nil, fmt.Errorf("%s is of version %s, %s of %s", names[i], d.Version, names[0], first.Version)
		case !slices.Equal(d.Suites, first.Suites) || d.Claims != first.Claims:
			return nil, fmt.Errorf("%s and %s are of other suites", names[i], names[0])
		}
		all.Interrupted = all.Interrupted || d.Interrupted
		for _, f := range d.Sources {
			if _, ok := sources[f.Name]; !ok {
				sources[f.Name] = source{f, names[i]}
			}
		}
		for _, r := range d.Results {
			if other, twice := from[r.Number]; twice {
				return nil, fmt.Errorf("claim %d is in %s and in %s", r.Number+1, other, names[i])
			}
			from[r.Number] = names[i]
			all.Results = append(all.Results, r)
		}
	}
	for i := range all.Claims {
		if _, ok := from[i]; !ok {
			return nil, fmt.Errorf("there are results of %d of %d claims; the first one without is claim %d",
				len(from), all.Claims, i+1)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(sources)) {
		all.Sources = append(all.Sources, sources[name].File)
	}
	slices.SortFunc(all.Results, func(a, b Result) int { return cmp.Compare(a.Number, b.Number) })
	return all, nil
}

// A source is a file that was read, with the first results that say so.
type source struct {
	File
	from string
}

// other is the name of a file that was another one before; "" if there is none.
func other(before map[string]source, files []File) string {
	for _, f := range files {
		if s, ok := before[f.Name]; ok && s.SHA256 != f.SHA256 {
			return f.Name
		}
	}
	return ""
}

// Shard says whether claim number n, from 0, is in shard i of k, from 1.
func Shard(n, i, k int) bool { return n%k == i-1 }

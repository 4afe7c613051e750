package suite

// Results of a suite, as a document that another run can read.

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"magus/app/report"
)

// DocumentSchema names the version of the form.
const DocumentSchema = "magus-suite-1"

// A Document is what a run of suites, or a shard of it, came to.
type Document struct {
	Schema  string   `json:"schema"` // DocumentSchema
	Version string   `json:"version"`
	Suites  []File   `json:"suites"`
	Claims  int      `json:"claims"` // in all suites, whether they are of the shard or not
	Results []Result `json:"results"`
}

// A File is a suite that was read.
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

// Write writes a document.
func Write(w io.Writer, d *Document) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(d)
}

// Read reads a document. The error is one line and names the file.
func Read(name string, text []byte) (*Document, error) {
	var d Document
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, fmt.Errorf("%s: no results of a suite: %v", name, err)
	}
	if d.Schema != DocumentSchema {
		return nil, fmt.Errorf("%s: no results of a suite in the form %s", name, DocumentSchema)
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
	from := map[int]string{}
	for i, d := range docs {
		switch {
		case d.Version != first.Version:
			return nil, fmt.Errorf("%s is of version %s, %s of %s", names[i], d.Version, names[0], first.Version)
		case !slices.Equal(d.Suites, first.Suites) || d.Claims != first.Claims:
			return nil, fmt.Errorf("%s and %s are of other suites", names[i], names[0])
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
	slices.SortFunc(all.Results, func(a, b Result) int { return cmp.Compare(a.Number, b.Number) })
	return all, nil
}

// Shard says whether claim number n, from 0, is in shard i of k, from 1.
func Shard(n, i, k int) bool { return n%k == i-1 }

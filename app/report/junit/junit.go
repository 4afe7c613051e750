package junit

import (
	"encoding/xml"
	"fmt"
	"io"
)

// A Suite is a list of cases with the time that they took.
type Suite struct {
	Name    string
	Cases   []Case
	Seconds float64
}

// A Case is one thing that was expected. It was met if there is neither a
// failure nor an error, and it was not skipped.
type Case struct {
	Name, Class string
	Seconds     float64
	Failure     string // what there was instead
	Error       string // why it could not be decided
	Skipped     string // why it was not decided, where that is no error
	Detail      string // more about either
}

// The elements of the document.
type (
	document struct {
		XMLName  xml.Name `xml:"testsuites"`
		Name     string   `xml:"name,attr"`
		Tests    int      `xml:"tests,attr"`
		Failures int      `xml:"failures,attr"`
		Errors   int      `xml:"errors,attr"`
		Suites   []suite  `xml:"testsuite"`
	}
	suite struct {
		Name     string     `xml:"name,attr"`
		Tests    int        `xml:"tests,attr"`
		Failures int        `xml:"failures,attr"`
		Errors   int        `xml:"errors,attr"`
		Skipped  int        `xml:"skipped,attr,omitempty"`
		Time     string     `xml:"time,attr"`
		Cases    []testcase `xml:"testcase"`
	}
	testcase struct {
		Name    string  `xml:"name,attr"`
		Class   string  `xml:"classname,attr"`
		Time    string  `xml:"time,attr"`
		Failure *reason `xml:"failure,omitempty"`
		Error   *reason `xml:"error,omitempty"`
		Skipped *reason `xml:"skipped,omitempty"`
	}
	reason struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// Write writes suites as one document. Cases of one class with the same name are told apart by a number.
func Write(w io.Writer, suites []Suite) error {
	doc := document{Name: "magus"}
	for _, s := range suites {
		e := element(s)
		doc.Tests, doc.Failures, doc.Errors = doc.Tests+e.Tests, doc.Failures+e.Failures, doc.Errors+e.Errors
		doc.Suites = append(doc.Suites, e)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(doc); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// element is a suite with its counts.
func element(s Suite) suite {
	e := suite{Name: s.Name, Tests: len(s.Cases), Time: fmt.Sprintf("%.3f", s.Seconds)}
	used := map[string]int{}
	for _, c := range s.Cases {
		t := testcase{Name: c.Name, Class: c.Class, Time: fmt.Sprintf("%.3f", c.Seconds)}
		if used[c.Class+c.Name]++; used[c.Class+c.Name] > 1 {
			t.Name = fmt.Sprintf("%s (%d)", c.Name, used[c.Class+c.Name])
		}
		if c.Failure != "" {
			t.Failure = &reason{c.Failure, c.Detail}
			e.Failures++
		}
		if c.Error != "" {
			t.Error = &reason{c.Error, c.Detail}
			e.Errors++
		}
		if c.Skipped != "" {
			t.Skipped = &reason{c.Skipped, c.Detail}
			e.Skipped++
		}
		e.Cases = append(e.Cases, t)
	}
	return e
}

package repl

// Expectations in the XML form of JUnit.

import (
	"encoding/xml"
	"fmt"
	"io"
)

// The JUnit form of results.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Time     string      `xml:"time,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		Failure *junitFailure `xml:"failure,omitempty"`
		Error   *junitFailure `xml:"error,omitempty"`
	}
	junitFailure struct {
		Message string `xml:"message,attr"`
	}
)

// A Suite is what the expectations of one script came to.
type Suite struct {
	Script  string
	Results []Expectation
	Error   string // why the script could not be executed to its end
	Seconds float64
}

// Failures counts the expectations that were not met.
func (s *Suite) Failures() (n int) {
	for _, e := range s.Results {
		if e.Failure != "" {
			n++
		}
	}
	return n
}

// WriteJUnit writes suites in the XML form of JUnit, which test runners of
// continuous integration read: a test case for each expectation, named by its
// place and condition.
func WriteJUnit(w io.Writer, suites []Suite) error {
	doc := junitSuites{}
	for _, s := range suites {
		js := junitSuite{Name: s.Script, Tests: len(s.Results), Time: fmt.Sprintf("%.3f", s.Seconds)}
		for _, e := range s.Results {
			jc := junitCase{Name: fmt.Sprintf("line %d: %s", e.Line, e.Text), Class: e.File}
			if e.Failure != "" {
				jc.Failure = &junitFailure{e.Failure}
				js.Failures++
			}
			js.Cases = append(js.Cases, jc)
		}
		if s.Error != "" {
			js.Cases = append(js.Cases, junitCase{Name: "the script", Class: s.Script, Error: &junitFailure{s.Error}})
			js.Tests++
			js.Errors++
		}
		doc.Tests, doc.Failures, doc.Errors = doc.Tests+js.Tests, doc.Failures+js.Failures, doc.Errors+js.Errors
		doc.Suites = append(doc.Suites, js)
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

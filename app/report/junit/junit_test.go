package junit

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWrite(t *testing.T) {
	var b strings.Builder
	require.NoError(t, Write(&b, []Suite{
		{Name: "a.magus", Seconds: 0.25, Cases: []Case{
			{Name: "line 1: conforms", Class: "a.magus", Seconds: 0.125},
			{Name: "line 1: conforms", Class: "a.magus", Failure: "expected conforms, got violates", Detail: "a & b\n"},
			{Name: "line 2: x < y", Class: "a.magus", Failure: "expected x < y, got \"z\""},
			{Name: "the script", Class: "a.magus", Error: "a.magus:3:1: no command x"},
		}},
		{Name: "empty.magus"},
	}))
	require.Equal(t, `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="magus" tests="4" failures="2" errors="1">
  <testsuite name="a.magus" tests="4" failures="2" errors="1" time="0.250">
    <testcase name="line 1: conforms" classname="a.magus" time="0.125"></testcase>
    <testcase name="line 1: conforms (2)" classname="a.magus" time="0.000">
      <failure message="expected conforms, got violates">a &amp; b&#xA;</failure>
    </testcase>
    <testcase name="line 2: x &lt; y" classname="a.magus" time="0.000">
      <failure message="expected x &lt; y, got &#34;z&#34;"></failure>
    </testcase>
    <testcase name="the script" classname="a.magus" time="0.000">
      <error message="a.magus:3:1: no command x"></error>
    </testcase>
  </testsuite>
  <testsuite name="empty.magus" tests="0" failures="0" errors="0" time="0.000"></testsuite>
</testsuites>
`, b.String())
}

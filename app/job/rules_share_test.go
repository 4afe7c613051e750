package job

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"magus"
	"magus/app/options"
	"magus/specs"
)

// A function's limit holds for all that is asked of it, not for each question anew.
func TestShareOfAFunctionsLimit(t *testing.T) {
	rule, besides := &specs.Rule{Name: "memory"}, &specs.Rule{Name: "memory-lost"}
	r := &Rules{run: &Run{options: &options.Options{FunctionTimeout: 2 * time.Second}}}
	require.Equal(t, 2*time.Second, r.share(magus.RuleQuestion{Rule: rule}, rule))
	both := magus.RuleQuestion{Rule: rule, Besides: besides}
	require.Equal(t, 2*time.Second, r.share(both, rule)+r.share(both, besides))
	require.Positive(t, r.share(both, besides))
	r.run.options.FunctionTimeout = 0
	require.Zero(t, r.share(both, rule), "no limit")
}

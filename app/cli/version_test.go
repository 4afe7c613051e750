package cli

import (
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestVersionOf(t *testing.T) {
	build := func(version string, settings ...string) *debug.BuildInfo {
		info := &debug.BuildInfo{Main: debug.Module{Version: version}}
		for i := 0; i < len(settings); i += 2 {
			info.Settings = append(info.Settings, debug.BuildSetting{Key: settings[i], Value: settings[i+1]})
		}
		return info
	}
	for _, test := range []struct {
		info              *debug.BuildInfo
		version, revision string
	}{
		{nil, "0.0.0-devel", ""},
		{build(""), "0.0.0-devel", ""},
		{build("(devel)"), "0.0.0-devel", ""},
		{build("v1.2.3"), "1.2.3", ""},
		{build("v1.2.3", "vcs.revision", "0123456789abcdef", "vcs.time", "2026-11-22T10:00:00Z"), "1.2.3",
			"commit 0123456789ab of 2026-11-22, "},
		{build("v1.2.3", "vcs.revision", "0123", "vcs.modified", "true"), "1.2.3", "commit 0123 with changes, "},
	} {
		require.Equal(t, test.version, versionOf(test.info))
		require.Equal(t, test.revision, revisionOf(test.info))
	}
}

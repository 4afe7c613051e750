package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// newVersion is the command `magus version`.
func newVersion(w *World, _ *int) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  arguments(0, 0),
		RunE: func(*cobra.Command, []string) error {
			info, _ := debug.ReadBuildInfo()
			_, err := fmt.Fprintf(w.Stdout, "magus %s (%s%s %s/%s)\n", versionOf(info), revisionOf(info),
				runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}

// version is that of the module as the Go tool has recorded it.
func version() string {
	info, _ := debug.ReadBuildInfo()
	return versionOf(info)
}

// versionOf is the version of a build: a semantic version without the letter before it,
// so that it begins with a number, as those who compare versions want. info may be nil.
func versionOf(info *debug.BuildInfo) string {
	if info == nil || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "0.0.0-devel"
	}
	return strings.TrimPrefix(info.Main.Version, "v")
}

// revisionOf is the commit of a build with its date, if the Go tool has recorded it, and
// a comma behind.
func revisionOf(info *debug.BuildInfo) string {
	if info == nil {
		return ""
	}
	set := map[string]string{}
	for _, s := range info.Settings {
		set[s.Key] = s.Value
	}
	commit := set["vcs.revision"]
	if commit == "" {
		return ""
	}
	text := "commit " + commit[:min(12, len(commit))]
	if set["vcs.modified"] == "true" {
		text += " with changes"
	}
	if date, _, ok := strings.Cut(set["vcs.time"], "T"); ok {
		text += " of " + date
	}
	return text + ", "
}

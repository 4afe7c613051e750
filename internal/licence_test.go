package internal

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"magus/internal/golden"

	"github.com/stretchr/testify/require"
)

// licences are known by words that only they have. The order matters: the first
// that fits counts.
var licences = []struct{ name, words string }{
	{"Apache-2.0", "Apache License"},
	{"MPL-2.0", "Mozilla Public License"},
	{"MIT", "to deal in the Software without restriction"},
	{"BSD-3-Clause", "Neither the name"},
	{"BSD-2-Clause", "Redistribution and use in source and binary forms"},
}

// TestLicences: docs/licences.md lists every module that is linked into the
// program, with its licence; there is none without a licence that we know.
func TestLicences(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f",
		"{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}{{end}}", "../cmd/magus").Output()
	require.NoError(t, err)
	var b strings.Builder
	b.WriteString("# Licences\n\nMagus is under the [MIT licence](../LICENSE). These modules are linked into it (`go test ./internal -update`" +
		"\nwrites the table); their licences allow that, and want their texts beside each binary, where [packages](packages.md)" +
		"\nhave them.\n" +
		"\n| module | version | licence |\n|---|---|---|\n")
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	slices.Sort(lines)
	for _, l := range slices.Compact(lines) {
		if l == "" {
			continue
		}
		f := strings.Split(l, "\t")
		b.WriteString("| " + f[0] + " | " + f[1] + " | " + licenceOf(t, f[2]) + " |\n")
	}
	golden.Equal(t, "../docs/licences.md", b.String())
}

// What is ours is under one licence, whoever says so.
func TestOwnLicence(t *testing.T) {
	require.Equal(t, "MIT", licenceOf(t, ".."))
	for file, says := range map[string]string{
		"LICENSE":                     "Copyright (c) 2026 The magus authors",
		"README.md":                   "[MIT licence](LICENSE)",
		"contrib/vscode/package.json": `"license": "MIT"`,
		"contrib/package/Dockerfile":  "org.opencontainers.image.licenses=MIT",
		"contrib/package/copyright":   "License: Expat", // Debian's name of it
	} {
		text, err := os.ReadFile(filepath.Join("..", file))
		require.NoError(t, err)
		require.Contains(t, string(text), says, file)
	}
	list, err := os.ReadFile("../docs/licences.md")
	require.NoError(t, err)
	require.NotContains(t, string(list), "MPL-", "its texts have to be offered with the sources")
}

func licenceOf(t *testing.T, dir string) string {
	files, err := filepath.Glob(filepath.Join(dir, "LICENSE*"))
	require.NoError(t, err)
	copying, err := filepath.Glob(filepath.Join(dir, "COPYING*"))
	require.NoError(t, err)
	for _, f := range append(files, copying...) {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		for _, l := range licences {
			if strings.Contains(strings.Join(strings.Fields(string(text)), " "), l.words) {
				return l.name
			}
		}
	}
	require.Fail(t, "no licence that we know", dir)
	return ""
}

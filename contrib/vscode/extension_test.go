// Package vscode holds the test of the extension.
package vscode

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// read reads a JSON file of the extension.
func read(t *testing.T, name string, into any) {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	d := json.NewDecoder(strings.NewReader(string(text)))
	require.NoError(t, d.Decode(into), name)
}

func TestFilesThatAreNamedAreThere(t *testing.T) {
	var p struct {
		Main        string
		Contributes struct {
			Languages []struct{ ID, Configuration string }
			Grammars  []struct{ Language, ScopeName, Path string }
		}
	}
	read(t, "package.json", &p)
	require.Len(t, p.Contributes.Languages, 1)
	require.Len(t, p.Contributes.Grammars, 1)
	assert.Equal(t, p.Contributes.Languages[0].ID, p.Contributes.Grammars[0].Language)
	var grammar struct{ ScopeName string }
	read(t, p.Contributes.Grammars[0].Path, &grammar)
	assert.Equal(t, p.Contributes.Grammars[0].ScopeName, grammar.ScopeName)
	var configuration map[string]any
	read(t, p.Contributes.Languages[0].Configuration, &configuration)
	assert.FileExists(t, p.Main)
	if node, err := exec.LookPath("node"); err == nil {
		out, err := exec.Command(node, "--check", p.Main).CombinedOutput()
		assert.NoError(t, err, "%s", out)
	}
}

// The grammar colours the words that the language's grammar has.
func TestGrammarKnowsTheWords(t *testing.T) {
	var g struct {
		Patterns []struct{ Name, Match string }
	}
	read(t, "syntaxes/magus-spec.tmLanguage.json", &g)
	words := map[string]*regexp.Regexp{}
	for _, p := range g.Patterns {
		if !strings.Contains(p.Match, "(?=") { // Go has no such thing
			words[p.Name] = regexp.MustCompile(p.Match)
		}
	}
	rules, err := os.ReadFile(filepath.Join("..", "..", "specs", "grammar.txt"))
	require.NoError(t, err)
	quoted := regexp.MustCompile(`"([A-Za-z]+)"`).FindAllStringSubmatch(string(rules), -1)
	require.NotEmpty(t, quoted)
	for _, q := range quoted {
		assert.True(t, words["keyword.control.magus-spec"].MatchString(q[1]) ||
			words["constant.language.magus-spec"].MatchString(q[1]), q[1])
	}
}

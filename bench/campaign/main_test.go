package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCampaigns: each kind names a test that is there, in a package that asks package sample how much it does.
func TestCampaigns(t *testing.T) {
	for i, c := range campaigns {
		require.True(t, i == 0 || campaigns[i-1].kind < c.kind, "%s is not in order", c.kind)
		files, err := filepath.Glob(filepath.Join("../..", c.pkg, "*_test.go"))
		require.NoError(t, err, c.kind)
		met, asks := false, false
		for _, name := range files {
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
			require.NoError(t, err)
			for _, d := range f.Decls {
				fn, ok := d.(*ast.FuncDecl)
				met = met || ok && regexp.MustCompile(c.test).MatchString(fn.Name.Name)
			}
			for _, s := range f.Imports {
				asks = asks || s.Path.Value == `"magus/internal/sample"`
			}
		}
		require.True(t, met, "%s: no test %s in %s", c.kind, c.test, c.pkg)
		require.True(t, asks, "%s: %s does not ask how much to do", c.kind, c.pkg)
	}
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{{}, {"-kind", "none"}, {"-kind", "threads", "-count", "0"},
		{"-kind", "threads", "x"}, {"-x"}} {
		var out, errs bytes.Buffer
		require.Equal(t, 2, run(args, &out, &errs), args)
		require.NotEmpty(t, errs.String())
	}
	var out, errs bytes.Buffer
	require.Equal(t, 0, run([]string{"-list"}, &out, &errs))
	require.Contains(t, out.String(), "threads")
}

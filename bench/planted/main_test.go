package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"magus/specs/rulebook"
)

// given has places of all kinds: a release in a wrapper, on a way out, and of what the caller has; breaks is
// left alone, and so is what no run reaches.
const given = `#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t m;
static void done(FILE *f) { fclose(f); }
int reads(const char *name)
{
	FILE *f = fopen(name, "r");
	if (f == NULL)
		return -1;
	int c = fgetc(f);
	done(f);
	return c;
}
int locks(int n)
{
	pthread_mutex_lock(&m);
	if (n < 0) {
		pthread_mutex_unlock(&m);
		return -1;
	}
	pthread_mutex_unlock(&m);
	if (n != n)
		pthread_mutex_unlock(&m);
	return n;
}
int breaks(int n) { pthread_mutex_lock(&m); if (n) pthread_mutex_unlock(&m); return 0; }
void foreign(char *p) { free(p); }
`

func inFile(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "a.c")
	require.NoError(t, os.WriteFile(name, []byte(given), 0o666))
	return name
}

func TestPlaces(t *testing.T) {
	name := inFile(t)
	var out, errs bytes.Buffer
	require.Zero(t, run(context.Background(), []string{"-list", "-count", "100", name}, &out, &errs), errs.String())
	var got []string
	for _, m := range regexp.MustCompile(`(?m)a\.c:(\d+: .*)$`).FindAllStringSubmatch(out.String(), -1) {
		got = append(got, m[1])
	}
	assert.ElementsMatch(t, []string{
		"5: lost: file in done: fclose(f);",
		"5: second: file in done: fclose(f);",
		"5: use: use-after-close in done: fclose(f);",
		"12: lost: file in reads: done(f);",
		"12: second: file in reads: done(f);",
		"12: use: use-after-close in reads: done(f);",
		"19: error path: pthread-mutex in locks: pthread_mutex_unlock(&m);",
		"19: second: pthread-mutex in locks: pthread_mutex_unlock(&m);",
		"22: lost: pthread-mutex in locks: pthread_mutex_unlock(&m);",
		"22: second: pthread-mutex in locks: pthread_mutex_unlock(&m);",
		"28: lost: memory in foreign: free(p);",
		"28: second: memory in foreign: free(p);",
		"28: use: use-after-close in foreign: free(p);",
	}, got)
}

// All faults are found but one, which is none: nothing is lost where the caller has it. The file stays as it is.
func TestFound(t *testing.T) {
	name := inFile(t)
	var out, errs bytes.Buffer
	require.Zero(t, run(context.Background(), []string{"-count", "100", "-limit", "20s", name}, &out, &errs),
		errs.String())
	assert.Regexp(t, `a\.c +1 of 1 +3 of 4 +5 of 5 +3 of 3 +12 +0 +1\n.*28: lost: memory in foreign: `+
		`free\(p\);: kept\n$`, out.String())
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	assert.Equal(t, given, string(text))
}

// The same seed chooses the same places; each kind has its turn, and no statement comes twice as long as
// there are others.
func TestChoose(t *testing.T) {
	var all []place
	for i := range 40 {
		all = append(all, place{from: i / 2, kind: kind(i % 3)})
	}
	one := choose(all, 1, 9)
	require.Equal(t, one, choose(all, 1, 9))
	require.NotEqual(t, one, choose(all, 2, 9))
	var by [kinds]int
	statements := map[int]bool{}
	for _, f := range one {
		by[f.kind]++
		statements[f.from] = true
	}
	require.Equal(t, [kinds]int{3, 3, 3, 0}, by)
	require.Len(t, statements, 9)
	require.Len(t, choose(all, 1, 100), 40)
}

// Which calls release follows from the rule.
func TestReleasing(t *testing.T) {
	for rule, want := range map[string][]string{
		"pthread-mutex":     {"pthread_mutex_unlock"},
		"pthread-rwlock":    {"pthread_rwlock_unlock"},
		"memory":            {"free", "realloc", "reallocarray"},
		"file":              {"freopen", "fclose", "pclose"},
		"descriptor":        {"close"},
		"directory":         {"closedir"},
		"freertos-critical": {"taskEXIT_CRITICAL", "vTaskExitCritical", "vPortExitCritical"},
		"socket-order":      nil,
		"use-after-close":   nil,
	} {
		for _, e := range rulebook.Entries() {
			if e.Name == rule {
				r, _ := e.Rule()
				assert.Equal(t, want, releasing(r), rule)
			}
		}
	}
}

// Places in preprocessed text are those before it was.
func TestSources(t *testing.T) {
	f := newText("a.i", []byte("# 1 \"a.c\"\nint a;\n#line 7 \"b.h\"\nint b;\n\nint c;\n# 3 \"a.c\" 2\nint d; }"))
	require.Equal(t, []string{"a.c:1", "a.c:1", "a.c:1", "b.h:7", "b.h:7", "b.h:7", "b.h:9", "b.h:9",
		"b.h:9", "a.c:3", "a.c:3", "a.c:3", "a.c:3"}, f.sources)
}

func TestMistakes(t *testing.T) {
	for _, args := range [][]string{{}, {"-count", "0", "a.c"}, {"nowhere.c"}, {"-wrong"}} {
		var out, errs bytes.Buffer
		assert.Equal(t, 2, run(context.Background(), args, &out, &errs), args)
		assert.NotEmpty(t, errs.String(), args)
	}
}

package suite

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// shard is that of shard i of k of four claims.
func shard(i, k int, sources ...File) *Document {
	d := &Document{Schema: DocumentSchema, Version: "1", Suites: []File{{"s.toml", "00"}}, Sources: sources, Claims: 4}
	for n := range 4 {
		if Shard(n, i, k) {
			d.Results = append(d.Results, Result{Number: n, Suite: "s.toml", Title: "<a>", Expect: "conforms",
				Verdict: "conforms"})
		}
	}
	return d
}

func written(t *testing.T, d *Document) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, Write(&b, d))
	return b.String()
}

// What was written is read, and what was changed since is not, wherever that was.
func TestResultsThatWereChanged(t *testing.T) {
	text := written(t, shard(1, 1))
	d, err := Read("r.json", []byte(text))
	require.NoError(t, err)
	d.Sum = ""
	require.Equal(t, shard(1, 1), d)
	for _, change := range [][2]string{{"conforms\",\n", "violates\",\n"}, {"<a>", "<b>"}, {"  ", " "},
		{`"claims": 4`, `"claims": 5`}, {"{", "{\"interrupted\": false,"}} {
		changed := strings.Replace(text, change[0], change[1], 1)
		require.NotEqual(t, text, changed, change)
		_, err := Read("r.json", []byte(changed))
		require.EqualError(t, err, "r.json: the results were changed since magus suite has written them", change)
	}
	_, err = Read("r.json", []byte(strings.Replace(text, DocumentSchema, "magus-suite-1", 1)))
	require.EqualError(t, err, "r.json: no results of a suite in the form "+DocumentSchema)
	for _, without := range []string{"{}", "[]", "", `{"schema": "` + DocumentSchema + `"}`} {
		_, err := Read("r.json", []byte(without))
		require.Error(t, err, without)
	}
}

// Shards go together if they read the same.
func TestShardsOfOtherSources(t *testing.T) {
	one, two, other := File{"a.c", "01"}, File{"b.c", "02"}, File{"a.c", "03"}
	names := []string{"1.json", "2.json"}
	all, err := Merge(names, []*Document{shard(1, 2, one), shard(2, 2, one, two)})
	require.NoError(t, err)
	require.Equal(t, []File{one, two}, all.Sources)
	require.False(t, all.Interrupted)
	_, err = Merge(names, []*Document{shard(1, 2, one, two), shard(2, 2, other)})
	require.EqualError(t, err, "a.c is another file for 2.json than for 1.json")
	stopped := shard(2, 2)
	stopped.Interrupted = true
	all, err = Merge(names, []*Document{shard(1, 2), stopped})
	require.NoError(t, err)
	require.True(t, all.Interrupted, "that one of them was interrupted is known of all")
}

// Whatever the text, there are results that were written so, or an error that names the file; and they go together with
// themselves only if there are none.
func FuzzResults(f *testing.F) {
	var b bytes.Buffer
	if err := Write(&b, shard(1, 1, File{"a.c", "01"})); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add([]byte("{}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := Read("r.json", text)
		if err != nil {
			require.Regexp(t, `^r\.json: `, err.Error())
			return
		}
		if _, err := Merge([]string{"r.json", "r.json"}, []*Document{d, d}); len(d.Results) > 0 {
			require.Error(t, err)
		}
	})
}

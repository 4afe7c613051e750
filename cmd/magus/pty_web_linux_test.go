package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// At a terminal the address is printed and opened; what a page does appears above the prompt and what is typed stays;
// control-C at the prompt stops what a page has begun; leaving the shell ends the server.
func TestTerminalWeb(t *testing.T) {
	dir := t.TempDir()
	var declared, asked strings.Builder
	for i := range 16 {
		fmt.Fprintf(&declared, "\tint b%d = take() != 0;\n", i)
		fmt.Fprintf(&asked, "\tif (b%d)\n\t\ttake();\n", i)
	}
	program := "int take(void);\nint drain(void)\n{\n" + declared.String() + asked.String() + "\treturn 0;\n}\n"
	spec := "Take = ( take -> return {} -> STOP ).\nprocedure take { abstract { take_is, (1), Take }; }\n" +
		"Any = ( take -> Any ).\nprocedure drain { abstract { any, (1), Any }; }\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "many.c"), []byte(program), 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "many.spec"), []byte(spec), 0o666))
	opened, temporary, browser := filepath.Join(dir, "opened"), t.TempDir(), filepath.Join(dir, "browser")
	require.NoError(t, os.WriteFile(browser, []byte("#!/bin/sh\ncp -p \"$1\" "+opened+".new && mv "+opened+".new "+opened+"\n"), 0o700))
	x, cmd := openTerminal(t, dir, []string{"MAGUS_HISTORY=" + filepath.Join(dir, "history"), "TERM=xterm",
		"BROWSER=" + browser, "TMPDIR=" + temporary},
		"repl", "--engine", "loop", "--max-states", "100000000", "many.c", "many.spec")
	x.expect(`magus> `)
	x.write("web\n")
	x.expect(`in a browser: http://127\.0\.0\.1:\d+/\?token=[0-9a-f]{64}`)
	x.expect(`magus> `)
	x.mu.Lock()
	address := regexp.MustCompile(`http://\S+[0-9a-f]{64}`).FindString(x.seen.String())
	x.mu.Unlock()
	base, token, _ := strings.Cut(address, "/?token=")
	require.Eventually(t, func() bool { _, err := os.Stat(opened); return err == nil }, time.Minute, 10*time.Millisecond,
		"the browser is given a file")
	info, err := os.Stat(opened)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm(), "which nobody else can read")
	text, err := os.ReadFile(opened)
	require.NoError(t, err)
	require.Contains(t, string(text), `content="0; url=`+address+`"`)
	do := func(path, body string) string {
		r, err := http.NewRequest("POST", base+path, strings.NewReader(body))
		require.NoError(t, err)
		r.Header.Set("X-Magus-Token", token)
		r.Header.Set("Content-Type", "application/json")
		answer, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		return string(text)
	}
	acts := func(line string) {
		require.Eventually(t, func() bool { return strings.Contains(do("/api/do", `{"line":"`+line+`"}`), "true") },
			time.Minute, 10*time.Millisecond, line)
	}
	x.write("ech") // a line that is typed while a page does something
	x.expect(`ech`)
	acts("pred add drain b0 == 0")
	x.expect(`page> pred add drain b0 == 0`)
	x.expect(`added b0 == 0; 1 predicate now`)
	x.write("o typed on\n")
	x.expect(`typed on`)
	x.expect(`magus> `)
	for i := range 16 {
		acts(fmt.Sprintf("pred add drain b%d == 0", i))
	}
	x.expect(`16 predicates now`)
	acts("step") // of very many states
	x.expect(`page> step`)
	require.Contains(t, do("/api/do", `{"line":"info"}`), "another command runs")
	x.write("\x03")
	x.expect(`interrupted`)
	acts("info")
	x.expect(`page> info`)
	x.expect(`16 predicates of 16`)
	x.write("exit\n")
	require.NoError(t, cmd.Wait())
	_, err = http.Get(address)
	require.Error(t, err)
	left, err := filepath.Glob(filepath.Join(temporary, "magus-*.html"))
	require.NoError(t, err)
	require.Empty(t, left)
}

package cfa

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWithLine: the caret stands below the place, in long lines too.
func TestWithLine(t *testing.T) {
	at := Pos{File: "a.c", Line: 1, Col: 3}
	require.Equal(t, "a.c:1:3: no", Error{Pos: at, Msg: "no"}.WithLine())
	require.Equal(t, "a.c:1:3: no\n  \tx y\n  \t ^", Error{Pos: at, Msg: "no", Text: "\tx y"}.WithLine())
	require.Equal(t, "a.c:1:3: no\n  x\n   ^", Error{Pos: at, Msg: "no", Text: "x"}.WithLine(), "behind the end")
	for col := 1; col <= 1002; col += 13 {
		at.Col = col
		long := strings.Repeat("é", 250) + "!" + strings.Repeat("é", 250)
		lines := strings.Split(Error{Pos: at, Msg: "no", Text: long}.WithLine(), "\n")
		require.Len(t, lines, 3)
		require.LessOrEqual(t, len(lines[1]), maxLine+2)
		require.True(t, strings.HasSuffix(lines[2], "^"))
		require.LessOrEqual(t, len([]rune(lines[2])), len([]rune(lines[1]))+1)
	}
	at.Col = 501
	lines := strings.Split(Error{Pos: at, Msg: "no", Text: strings.Repeat("é", 250) + "!" +
		strings.Repeat("é", 250)}.WithLine(), "\n")
	require.Equal(t, '!', []rune(lines[1])[len([]rune(lines[2]))-1])
}

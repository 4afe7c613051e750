package source

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var severals = map[string]string{
	`'ab'`: "24930", `'abcd'`: "1633837924", `'\377a'`: "65377", `'\xff\xff\xff\xff'`: "(-1)", `'\0a'`: "97",
	`'a\n'`: "24842",
	`'\'"'`: "10018", `'\\\''`: "23591", `'?\?'`: "16191", `'\e['`: "7003", `'\1012'`: "16690",
}

func TestSeveralCharacters(t *testing.T) {
	_, err := parseSource("#if 'ab' != 24930\n#error\n#endif\nint main(void) { switch (1) { " +
		"case 'RIFF': return 'x'; } return 0; }")
	require.NoError(t, err)
}

func TestWideCharacters(t *testing.T) {
	_, err := parseSource("_Static_assert(u'a' == 97 && sizeof u'a' == 2 && sizeof U'a' == 4 && U'a' - " +
		"98 > 0, \"\"); int main(void) { return 0; }")
	require.NoError(t, err)
}

func TestSeveralCharactersAgreeWithGCC(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no GCC to compare with")
	}
	dir := t.TempDir()
	var b strings.Builder
	for text, want := range severals {
		fmt.Fprintf(&b, "_Static_assert(%s == %s && sizeof(%s) == sizeof(int), \"\");\n", text, want, text)
	}
	file := filepath.Join(dir, "a.c")
	require.NoError(t, os.WriteFile(file, []byte(b.String()), 0o600))
	out, err := exec.Command("gcc", "-w", "-fsyntax-only", file).CombinedOutput()
	require.NoError(t, err, string(out))
}

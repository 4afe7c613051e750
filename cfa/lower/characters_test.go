package lower

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The tests of characters hold of those that Go's strings say, which is what C
// says of the locale "C".
func TestRanges(t *testing.T) {
	const upper, lower, digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz", "0123456789"
	const punct = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
	var cntrl, ascii strings.Builder
	for c := range 128 {
		ascii.WriteByte(byte(c))
		if c < 32 || c == 127 {
			cntrl.WriteByte(byte(c))
		}
	}
	for name, set := range map[string]string{
		"isalnum": upper + lower + digits, "isalpha": upper + lower, "isascii": ascii.String(), "isblank": " \t",
		"iscntrl": cntrl.String(),
		"isdigit": digits, "isgraph": upper + lower + digits + punct, "islower": lower,
		"isprint": upper + lower + digits + punct + " ",
		"ispunct": punct, "isspace": " \t\n\v\f\r", "isupper": upper, "isxdigit": digits + "ABCDEFabcdef",
	} {
		for c := int64(-1); c < 256; c++ {
			in := false
			for _, r := range ranges[name] {
				in = in || r[0] <= c && c <= r[1]
			}
			require.Equal(t, c >= 0 && c < 128 && strings.IndexByte(set, byte(c)) >= 0, in, "%s(%d)", name, c)
		}
	}
	require.Len(t, ranges, 13)
}

package lower

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"magus/smt/softfloat"
)

// TestNumberTextsAgreeWithStrtod reads random texts as the C library of this machine does.
func TestNumberTextsAgreeWithStrtod(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("gcc is not installed")
	}
	r := rand.New(rand.NewPCG(4, 2))
	pieces := strings.Fields("0 1 9 25 .5 . - + e e-3 E+400 p p-2 0x 0X1 a.8 inf INFINITY nan " +
		"nan( nan(1) infin x 4503599627370497.5 1e-320 16777217")
	var texts []string
	var body strings.Builder
	for range 600 {
		text := strings.Repeat(" \t", r.IntN(2))
		for range 1 + r.IntN(5) {
			text += pieces[r.IntN(len(pieces))]
		}
		texts = append(texts, text)
		fmt.Fprintf(&body, "	show(%q);\n", text)
	}
	dir := t.TempDir()
	source := filepath.Join(dir, "a.c")
	require.NoError(t, os.WriteFile(source, []byte(`#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void show(const char *s)
{
	char *end, *also;
	errno = 0;
	double d = strtod(s, &end);
	int error = errno == ERANGE;
	float f = strtof(s, &also);
	long double l = strtold(s, 0);
	unsigned long long x;
	unsigned y;
	unsigned long long m;
	unsigned short e;
	memcpy(&x, &d, sizeof x);
	memcpy(&y, &f, sizeof y);
	memcpy(&m, &l, sizeof m);
	memcpy(&e, (char *)&l + 8, sizeof e);
	printf("%d %llu %u %d %d %llu %hu\n", (int)(end - s), x, y, error, end == also, m, e);
}
int main(void)
{
`+body.String()+"}\n"), 0o666))
	out, err := exec.Command(gcc, source, "-o", filepath.Join(dir, "a")).CombinedOutput()
	require.NoError(t, err, "%s", out)
	out, err = exec.Command(filepath.Join(dir, "a")).Output()
	require.NoError(t, err)
	for i, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		var end, outOfRange, same int
		var double, single uint64
		var long softfloat.Pair
		_, err := fmt.Sscan(line, &end, &double, &single, &outOfRange, &same, &long.Low, &long.High)
		require.NoError(t, err)
		n, bits, flags := numberText(softfloat.Double.Parse, texts[i])
		_, float, _ := numberText(softfloat.Single.Parse, texts[i])
		_, extended, _ := numberText(softfloat.Extended.Parse, texts[i])
		if softfloat.Double.IsNaN(bits) { // its sign and what it holds are open
			double, single, float, long = bits, 0, 0, extended
		}
		require.Equal(t, []any{end, double, single, long, 1}, []any{n, bits, float, extended, same}, "%q", texts[i])
		if flags&softfloat.Underflow == 0 {
			require.Equal(t, outOfRange == 1, flags&softfloat.Overflow != 0, "%q", texts[i])
		}
	}
}

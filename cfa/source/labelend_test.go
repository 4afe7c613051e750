package source

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestLabelsAtTheEndOfABlock(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"none", "int f(void) { return 0; }", "int f(void) { return 0; }"},
		{"over a blank", "{ out: }", "{ out:;}"},
		{"no blank", "{ out:}", "{ out:;}"},
		{"next line", "{ out:\n}", "{ out:;\n}"},
		{"two", "{ { a: } b: }", "{ { a:;} b:;}"},
		{"default", "switch (x) { default: }", "switch (x) { default:;}"},
		{"comments", "{ out: /* } */ // }\n}", "{ out:;/* } */ // }\n}"},
		{"directives", "{ out:\n#if 1\n# 4 \"f.c\"\n#endif\n}", "{ out:;\n#if 1\n# 4 \"f.c\"\n#endif\n}"},
		{"a longer directive", "{ out:\n#if 1 && \\\n 1\n#endif\n}", "{ out:;\n#if 1 && \\\n 1\n#endif\n}"},
		{"a line that goes on", "#define M { out:\\\n}\n", "#define M { out:;\\\n}\n"},
		{"a statement", "{ out: x = 1; }", "{ out: x = 1; }"},
		{"division", "{ out: / }", "{ out: / }"},
		{"literals", `{ s = "a: }"; c = ':'; }`, `{ s = "a: }"; c = ':'; }`},
		{"an argument", "S({ a: })", "S({ a: })"},
		{"condition", "x = c ? a : b; }", "x = c ? a : b; }"},
		{"the end", "{ out:", "{ out:"},
		{"no directive", "{ out: # }", "{ out: # }"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.want, string(closeLabels([]byte(tt.text))))
		})
	}
}

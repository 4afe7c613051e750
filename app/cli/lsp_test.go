package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// An editor that starts the command gets an answer, and ends it.
func TestLSPOverStandardInput(t *testing.T) {
	var in bytes.Buffer
	for _, message := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"rootUri":null,"capabilities":{}}}`,
		`{"jsonrpc":"2.0","method":"initialized","params":{}}`,
		`{"jsonrpc":"2.0","id":"three","method":"no/such","params":{}}`,
		`{"jsonrpc":"2.0","id":4,"method":"shutdown"}`,
		`{"jsonrpc":"2.0","method":"exit"}`,
	} {
		fmt.Fprintf(&in, "Content-Length: %d\r\n\r\n%s", len(message), message)
	}
	var out, errs bytes.Buffer
	w := System()
	w.Stdin, w.Stdout, w.Stderr = io.NopCloser(&in), &out, &errs
	status := Main(context.Background(), []string{"lsp"}, w)
	assert.Equal(t, 0, status, errs.String())
	assert.Regexp(t, `^Content-Length: \d+\r\n\r\n\{`, out.String(), "byte by byte")
	for _, want := range []string{`"name":"magus"`, `"id":"three","error"`, `"id":4,"result":null`} {
		assert.True(t, strings.Contains(out.String(), want), "%s in %s", want, out.String())
	}
}

// Command ruleproject writes a made-up project of any size for checks of rules: files with functions that
// lock, allocate and compute, which call each other within their file and a layer of helpers, as in a server.
// Same arguments, same files.
//
//	go run ./bench/ruleproject -functions 5000 -lines 100000 -files 100 DIR
package main

import (
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

func main() { os.Exit(run(os.Args[1:], os.Stderr)) }

func run(args []string, errs io.Writer) int {
	fs := flag.NewFlagSet("ruleproject", flag.ContinueOnError)
	fs.SetOutput(errs)
	functions := fs.Int("functions", 5000, "how many `FUNCTIONS`")
	lines := fs.Int("lines", 100_000, "about how many `LINES`")
	files := fs.Int("files", 100, "how many `FILES`")
	seed := fs.Uint64("seed", 1, "`SEED`")
	if err := fs.Parse(args); err != nil || fs.NArg() != 1 || *functions < *files || *files < 1 {
		fmt.Fprintln(errs, "ruleproject: [-functions N] [-lines N] [-files N] [-seed N] DIR, with a function a file at least")
		return 2
	}
	for name, text := range write(*functions, *lines, *files, *seed) {
		if err := os.WriteFile(filepath.Join(fs.Arg(0), name), []byte(text), 0o666); err != nil {
			fmt.Fprintln(errs, "ruleproject:", err)
			return 1
		}
	}
	return 0
}

// perGroup is how many functions call each other: the last of a group is a root.
const perGroup = 5

// write is the project: the texts of files by name.
func write(functions, lines, files int, seed uint64) map[string]string {
	r := rand.New(rand.NewPCG(seed, 11))
	all := map[string]string{"all.h": header}
	least := 14 // lines of a function without those that only compute
	for k := range files {
		var b strings.Builder
		fmt.Fprintf(&b, "#include \"all.h\"\n\nstatic struct pool pool = { .lock = PTHREAD_MUTEX_INITIALIZER };\n\n")
		for n := range functions / files {
			function(&b, r, k, n, max(lines/functions-least, 0))
		}
		all[fmt.Sprintf("file%d.c", k)] = b.String()
	}
	return all
}

const header = `#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct item { struct item *next; int key, value; };
struct pool { pthread_mutex_t lock; struct item *first; int count, limit; };
`

// function writes a function of a file: most lock and unlock, one in forty forgets that on a way out.
func function(b *strings.Builder, r *rand.Rand, k, n, computing int) {
	fmt.Fprintf(b, "int work%d_%d(int a, int b)\n{\n\tint sum = a;\n", k, n)
	for range computing {
		switch r.IntN(4) {
		case 0:
			fmt.Fprintf(b, "\tif (sum > %d)\n\t\tsum -= b;\n", r.IntN(1000))
		case 1:
			fmt.Fprintf(b, "\tsum += a * %d;\n", 1+r.IntN(9))
		case 2:
			fmt.Fprintf(b, "\tsum ^= b + %d;\n", r.IntN(100))
		case 3:
			fmt.Fprintf(b, "\tb = (sum & %d) + a;\n", 1+r.IntN(255))
		}
	}
	if n%perGroup > 0 {
		fmt.Fprintf(b, "\tif (a > %d)\n\t\tsum += work%d_%d(sum, b);\n", r.IntN(50), k, n-1)
	}
	forgets := "\t\tpthread_mutex_unlock(&pool.lock);\n"
	if r.IntN(40) == 0 {
		forgets = ""
	}
	fmt.Fprintf(b, "\tpthread_mutex_lock(&pool.lock);\n\tif (pool.count >= pool.limit) {\n%s\t\treturn -1;\n\t}\n"+
		"\tpool.count++;\n\tpthread_mutex_unlock(&pool.lock);\n\treturn sum;\n}\n\n", forgets)
}

package summaries

import (
	"fmt"
	"os"
	"time"
)

var begin = time.Now()
var file, _ = os.OpenFile("/work/tmp/summaries/debug.txt", os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o644)

func debugf(f string, args ...any) {
	fmt.Fprintf(file, "%6d ", time.Since(begin).Milliseconds())
	fmt.Fprintf(file, f+"\n", args...)
}

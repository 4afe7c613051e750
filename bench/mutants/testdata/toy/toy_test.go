package toy

import (
	"testing"
	"time"
)

func TestToy(t *testing.T) {
	if Larger(1, 2) != 2 || Larger(2, 1) != 2 {
		t.Fatal("wrong")
	}
	asked := 0
	Wait(func() bool {
		if asked++; asked > 2 {
			time.Sleep(time.Millisecond) // a mutant that waits for ever costs no processor
		}
		return asked == 2
	})
	if asked != 2 {
		t.Fatal("not asked until it was over")
	}
}

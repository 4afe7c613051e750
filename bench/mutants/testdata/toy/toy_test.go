package toy

import "testing"

func TestToy(t *testing.T) {
	if Larger(1, 2) != 2 || Larger(2, 1) != 2 || Rounds(0) != 0 || Rounds(3) != 3 {
		t.Fatal("wrong")
	}
}

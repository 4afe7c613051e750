package cli

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A choice is a flag with a fixed set of values.
type choice struct {
	value   string
	allowed []string
}

func (c *choice) String() string { return c.value }
func (c *choice) Type() string   { return strings.Join(c.allowed, "|") }

func (c *choice) Set(s string) error {
	if !slices.Contains(c.allowed, s) {
		return fmt.Errorf("must be one of %s", strings.Join(c.allowed, ", "))
	}
	c.value = s
	return nil
}

// A size is a flag that holds a number of bytes, such as 512MiB or 2GiB.
type size uint64

func (b *size) Type() string { return "SIZE" }

func (b *size) String() string {
	if *b == 0 {
		return ""
	}
	return strconv.FormatUint(uint64(*b), 10)
}

func (b *size) Set(s string) error {
	digits := strings.TrimRightFunc(s, func(r rune) bool { return r < '0' || r > '9' })
	n, err := strconv.ParseUint(digits, 10, 64)
	unit, known := sizeUnits[strings.ToLower(strings.TrimSpace(s[len(digits):]))]
	if err != nil || !known || n == 0 {
		return fmt.Errorf("must be a positive size such as 512MiB or 2GiB")
	}
	if n > math.MaxUint64/unit {
		return fmt.Errorf("is more than any machine has")
	}
	*b = size(n * unit)
	return nil
}

// sizeUnits gives the units of sizes in lower case. It is never written.
var sizeUnits = map[string]uint64{
	"": 1, "b": 1,
	"k": 1 << 10, "kib": 1 << 10, "kb": 1e3,
	"m": 1 << 20, "mib": 1 << 20, "mb": 1e6,
	"g": 1 << 30, "gib": 1 << 30, "gb": 1e9,
	"t": 1 << 40, "tib": 1 << 40, "tb": 1e12,
}

// A count is a flag that holds a number of at least 1, or 0 for no bound.
type count int

func (n *count) Type() string { return "N" }

func (n *count) String() string {
	if *n == 0 {
		return ""
	}
	return strconv.Itoa(int(*n))
}

func (n *count) Set(s string) error {
	v, err := strconv.Atoi(s)
	if err != nil || v < 1 {
		return fmt.Errorf("must be a number of at least 1")
	}
	*n = count(v)
	return nil
}

// A turns flag holds a number of turns, -1 for any number, or 0 where the
// choice is left to the tool.
type turns int

func (n *turns) Type() string { return "N|all" }

func (n *turns) String() string {
	switch *n {
	case 0:
		return ""
	case -1:
		return "all"
	}
	return strconv.Itoa(int(*n))
}

func (n *turns) Set(s string) error {
	if s == "all" {
		*n = -1
		return nil
	}
	v, err := strconv.Atoi(s)
	if err != nil || v < 1 {
		return fmt.Errorf("must be all or a number of at least 1")
	}
	*n = turns(v)
	return nil
}

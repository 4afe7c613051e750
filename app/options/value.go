package options

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"magus/internal/phrase"
)

// A Kind is how the value of an option is written, and the type that it has.
type Kind int

// The kinds.
const (
	Bool       Kind = iota // bool: true or false
	Text                   // string
	List                   // []string: given several times
	Choice                 // string: one of some values, or "" where that is the default
	Count                  // int: at least 1; 0 is the default
	CountOrAll             // int: at least 1, or all, which is -1; 0 is the default
	Integer                // int64
	Duration               // time.Duration: such as 90s
	Size                   // uint64: bytes, such as 2GiB; 0 is the default
)

// A Value is the place of a value that is written as a text. It has the methods of
// a flag.
type Value struct {
	kind   Kind
	values []string
	at     any // a pointer to the type of the kind
}

// NewValue is a value at a place of the kind's type; values are those of a choice.
func NewValue(kind Kind, at any, values ...string) Value { return Value{kind, values, at} }

// Kind is the value's kind.
func (v Value) Kind() Kind { return v.kind }

// Set reads the value from a text; of a list, the text is one more element.
func (v Value) Set(text string) (err error) {
	switch at := v.at.(type) {
	case *bool:
		if *at, err = strconv.ParseBool(text); err != nil {
			return errors.New("must be true or false")
		}
	case *string:
		if v.kind == Choice && !slices.Contains(v.values, text) {
			return fmt.Errorf("must be one of %s%s", strings.Join(v.values, ", "), phrase.Suggest(text, v.values))
		}
		*at = text
	case *[]string:
		*at = append(slices.Clone(*at), text)
	case *int:
		*at, err = parseCount(text, v.kind == CountOrAll)
	case *int64:
		*at, err = strconv.ParseInt(text, 0, 64)
	case *time.Duration:
		if *at, err = time.ParseDuration(text); err != nil {
			return errors.New("must be a time with its unit, such as " + exampleTime(text))
		}
	case *uint64:
		*at, err = parseSize(text)
	default:
		panic(fmt.Sprintf("options: no kind of value: %T", v.at))
	}
	return err
}

// exampleTime is a time as it is written, perhaps the one that was meant.
func exampleTime(text string) string {
	if n, err := strconv.ParseUint(text, 10, 32); err == nil && n > 0 {
		return fmt.Sprintf("%ds or %dm", n, n)
	}
	return "90s or 5m"
}

// String is the value as Set reads it, "" where none was set; the elements of a
// list stand side by side.
func (v Value) String() string {
	switch at := v.at.(type) {
	case *bool:
		return strconv.FormatBool(*at)
	case *string:
		return *at
	case *[]string:
		return strings.Join(*at, " ")
	case *int:
		switch *at {
		case 0:
			return ""
		case -1:
			return "all"
		}
		return strconv.Itoa(*at)
	case *int64:
		return strconv.FormatInt(*at, 10)
	case *time.Duration:
		if *at == 0 {
			return ""
		}
		return at.String()
	case *uint64:
		if *at == 0 {
			return ""
		}
		return strconv.FormatUint(*at, 10)
	}
	return ""
}

// Type is what the help shows in the place of the value, unless the help of the
// option names it.
func (v Value) Type() string {
	switch v.kind {
	case Bool:
		return "bool"
	case Text:
		return "string"
	case List:
		return "stringArray"
	case Choice:
		return strings.Join(v.values, "|")
	case Count:
		return "N"
	case CountOrAll:
		return "N|all"
	case Integer:
		return "int64"
	case Duration:
		return "duration"
	}
	return "SIZE"
}

// Choices are the texts that the value can have, if they are few.
func (v Value) Choices() []string {
	if v.kind == Bool {
		return []string{"true", "false"}
	}
	return v.values
}

// parseCount reads a number of at least 1; all is -1.
func parseCount(text string, orAll bool) (int, error) {
	n, err := strconv.Atoi(text)
	switch {
	case orAll && text == "all":
		return -1, nil
	case err == nil && n >= 1:
		return n, nil
	case orAll:
		return 0, fmt.Errorf("must be all or a number of at least 1")
	}
	return 0, fmt.Errorf("must be a number of at least 1")
}

// parseSize reads a number of bytes.
func parseSize(text string) (uint64, error) {
	digits := strings.TrimRightFunc(text, func(r rune) bool { return r < '0' || r > '9' })
	n, err := strconv.ParseUint(digits, 10, 64)
	unit := unitOf(strings.ToLower(strings.TrimSpace(text[len(digits):])))
	switch {
	case err != nil || unit == 0 || n == 0:
		return 0, fmt.Errorf("must be a positive size such as 512MiB or 2GiB")
	case n > math.MaxUint64/unit:
		return 0, fmt.Errorf("is more than any machine has")
	case digits == text && n < 1<<20:
		likely := "GiB"
		if n >= 64 {
			likely = "MiB"
		}
		return 0, fmt.Errorf("has no unit, and so many bytes are too few: write it, such as %s%s", digits, likely)
	}
	return n * unit, nil
}

// unitOf is a unit of sizes, by its name in lower case; 0 if there is none.
func unitOf(name string) uint64 {
	switch name {
	case "", "b":
		return 1
	case "k", "kib":
		return 1 << 10
	case "kb":
		return 1e3
	case "m", "mib":
		return 1 << 20
	case "mb":
		return 1e6
	case "g", "gib":
		return 1 << 30
	case "gb":
		return 1e9
	case "t", "tib":
		return 1 << 40
	case "tb":
		return 1e12
	}
	return 0
}

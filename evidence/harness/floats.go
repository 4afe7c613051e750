package harness

// Values of floating-point types, which are given by their bits: so a NaN and the sign of a zero are those of
// the run, and nothing is rounded.

import "fmt"

// floats are the bits of the floating-point type that a function returns in the run, 0 if it returns none.
func (w *writer) floats(name string) int {
	for _, p := range w.replay.Components {
		for _, c := range p.Choices {
			if c.Called && c.Name == name {
				return c.Float
			}
		}
	}
	return 0
}

// taken is the next value that the run had at a site; bits are those of a floating-point type, or 0.
func taken(site, bits int) string {
	value := fmt.Sprintf("magus_take(%d)", site)
	switch bits {
	case 0:
		return value
	case 80, 128: // the low word first, as in the run
		return fmt.Sprintf("({ union { %s f; struct { unsigned long long low; %s high; } w; } magus_u = { 0 }; "+
			"magus_u.w.low = %s; magus_u.w.high = %s; magus_u.f; })", bitsType(bits), unsigned(bits-64), value, value)
	}
	return ofBits(value, bits)
}

// ofBits is a floating-point value by its bits.
func ofBits(value string, bits int) string {
	return fmt.Sprintf("((union { %s bits; %s f; }){ %s }).f", unsigned(bits), bitsType(bits), value)
}

// bitsType is the type of a value of so many bits; 0 stands for what is no floating-point value.
func bitsType(bits int) string {
	switch bits {
	case 16:
		return "_Float16"
	case 32:
		return "float"
	case 64:
		return "double"
	case 80:
		return "long double"
	case 128:
		return "_Float128"
	}
	return unsigned(64)
}

// unsigned is the integer type of so many bits.
func unsigned(bits int) string {
	switch bits {
	case 16:
		return "unsigned short"
	case 32:
		return "unsigned"
	}
	return "unsigned long long"
}

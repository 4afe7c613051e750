package cfa

// FloatFaults are results of floating-point operations that may be looked for, by bit.
type FloatFaults uint8

// The faults.
const (
	FloatDivision FloatFaults = 1 << iota // a division by zero
	FloatOverflow                         // an infinity of finite operands
	FloatNaN                              // a NaN of operands that are none
	FloatCast                             // a number that does not fit the integer type that it is converted to
)

// floatFaults are the names of the faults.
var floatFaults = map[string]FloatFaults{
	"division": FloatDivision, "overflow": FloatOverflow, "nan": FloatNaN, "cast": FloatCast,
	"all": FloatDivision | FloatOverflow | FloatNaN | FloatCast,
}

// FloatFault is the fault of a name, or all of them; false if there is none.
func FloatFault(name string) (FloatFaults, bool) {
	f, ok := floatFaults[name]
	return f, ok
}

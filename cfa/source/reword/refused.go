package reword

// Constructs that the parser passes over in silence, so that a proof would be one of another program, or takes for
// mistakes.

// byteOrders refuses structures whose bytes are in another order.
func byteOrders(r *rewriter) {
	for i := range r.in {
		if r.inAttribute(i) && r.isOneOf(i, "scalar_storage_order", "__scalar_storage_order__") &&
			!(i+2 < len(r.in) && r.in[i+2].Text == `"little-endian"`) { // which is ours
			r.refuse(r.in[i], "another order of bytes (scalar_storage_order)", "")
		}
	}
}

// otherLayouts refuses structures that Microsoft's compiler lays out.
func otherLayouts(r *rewriter) {
	for i := range r.in {
		if r.inAttribute(i) && r.isOneOf(i, "ms_struct", "__ms_struct__") {
			r.refuse(r.in[i], "another layout of structures (ms_struct)", "")
		}
	}
}

// bitPrecise refuses integers of any number of bits (C23 6.2.5), whose name the parser takes for one of a function.
func bitPrecise(r *rewriter) {
	for i := range r.in {
		if r.is(i, "_BitInt") && r.is(i+1, "(") {
			r.refuse(r.in[i], "integers of any number of bits (_BitInt)", "write a type of 8, 16, 32 or 64 bits")
			return
		}
	}
}

// decimals refuses decimal floating point (C23 6.2.5), at whose conversions the parser stops.
func decimals(r *rewriter) {
	for i, t := range r.in {
		if r.isOneOf(i, "_Decimal32", "_Decimal64", "_Decimal128") {
			r.refuse(t, "decimal floating point ("+t.Text+")", "write float, double or long double")
			return
		}
	}
}

// otherHalves refuses floating-point types of 16 bits that x86 does not compute with, or not in the same way.
func otherHalves(r *rewriter) {
	for i, t := range r.in {
		if r.isOneOf(i, "__fp16", "__bf16") {
			r.refuse(t, "floating point of 16 bits ("+t.Text+")", "write _Float16 or float")
			return
		}
	}
}

// inAttribute reports whether the name at i is that of an attribute.
func (r *rewriter) inAttribute(i int) bool {
	if !r.is(i-1, "(") && !r.is(i-1, ",") {
		return false
	}
	for n := i - 1; n > 0; n-- {
		switch {
		case r.is(n, ")"):
			n = r.opening(n)
		case r.is(n, "("):
			return r.is(n-1, "(") && r.isAttribute(n-2)
		case r.is(n, ";"), r.is(n, "{"), r.is(n, "}"):
			return false
		}
	}
	return false
}

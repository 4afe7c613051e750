package reword

// Constructs that the parser passes over in silence: a proof would be one of another program.

// byteOrders refuses structures whose bytes are in another order.
func byteOrders(r *rewriter) {
	for i := range r.in {
		if r.inAttribute(i) && r.isOneOf(i, "scalar_storage_order", "__scalar_storage_order__") &&
			!(i+2 < len(r.in) && r.in[i+2].Text == `"little-endian"`) { // which is ours
			r.refuse(r.in[i], "another order of bytes (scalar_storage_order)", "")
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

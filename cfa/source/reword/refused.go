package reword

// Constructs that the parser passes over in silence: a proof would be one of another program.

// byteOrders refuses structures whose bytes are in another order.
func byteOrders(r *rewriter) {
	for i := range r.in {
		if r.inAttribute(i) && r.isOneOf(i, "scalar_storage_order", "__scalar_storage_order__") {
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

// packedEnumerations refuses enumerations with the attribute packed, which are as narrow as their values allow.
func packedEnumerations(r *rewriter) {
	for i := range r.in {
		if !r.is(i, "enum") {
			continue
		}
		n := i + 1
		for r.isAttribute(n) || r.isName(n) && !r.is(n, "{") {
			if n = r.pastPacked(n); n == 0 {
				return
			}
		}
		if !r.is(n, "{") {
			continue
		}
		for n = r.closing(n) + 1; r.isAttribute(n); {
			if n = r.pastPacked(n); n == 0 {
				return
			}
		}
	}
}

// pastPacked is the place behind an attribute or a name; 0 where it is the attribute packed, which is refused.
func (r *rewriter) pastPacked(i int) int {
	if !r.isAttribute(i) {
		return i + 1
	}
	end := r.closing(i + 1)
	for _, a := range parts(r.in[i+3 : max(i+3, end-1)]) {
		if len(a) > 0 && plain(a[0].Text) == "packed" {
			r.refuse(a[0], "an enumeration with the attribute packed", "write the integer type that it is to have")
			return 0
		}
	}
	return end + 1
}

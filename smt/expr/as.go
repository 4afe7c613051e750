package expr

// As is a value with the bits of a, cut or extended to t's width as [Pool.Cast] does it: what memory
// that was written as one type holds when it is read as another. Neither is Bool.
func (p *numbers) As(t Type, a *Expr) *Expr {
	if a.typ == t {
		return a
	}
	if a.typ.IsFloat() {
		a = p.FBits(a)
	}
	if t.IsFloat() {
		return p.FFrom(t, p.Cast(t.BitsType(), a))
	}
	return p.Cast(t, a)
}

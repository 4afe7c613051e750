package linear

// Implies reports whether the conjunction is known to imply the atom.
func Implies(atoms []Atom, a Atom) bool {
	if truth, constant := a.Constant(); constant && truth {
		return true
	}
	return Empty(append(atoms[:len(atoms):len(atoms)], a.Negate()))
}

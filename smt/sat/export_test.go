package sat

// ForgetOften makes s forget learned clauses every few conflicts, ever
// more, for a search that forgets at a fixed rate may go in circles.
func (s *Solver) ForgetOften(every int64) {
	s.reduce.first, s.reduce.step, s.reduce.next = every, 2, every
}

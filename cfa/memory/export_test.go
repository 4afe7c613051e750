package memory

import "context"

// Analyse finds what the pointers of the draft may point to, and makes the cells
// that its accesses need.
func (m *Model) Analyse(ctx context.Context) (*Analysis, error) {
	a := m.NewAnalysis()
	for {
		if more, err := a.Next(ctx); err != nil || !more {
			return a, err
		}
	}
}

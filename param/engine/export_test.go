package engine

import "context"

// Turn is a step that does not end the session when the context has ended.
func (s *Session) Turn(ctx context.Context) Event { return s.turn(ctx) }

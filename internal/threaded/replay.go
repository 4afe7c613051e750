package threaded

import (
	"context"

	"magus/internal/verdict"
	"magus/threads"
)

// replay is the run of a schedule, or why it is not believed.
func (s *Session) replay(_ context.Context, _ *threads.Schedule) (*verdict.Run, verdict.Reason, error) {
	return nil, verdict.Reason{Kind: verdict.NotModelled, Text: "an error was found, but schedules of threads are not replayed"}, nil
}

package cfa

// A MemoryModel says when threads see what others have written. Sections, creation, the beginning and the end of
// threads and joining are fences: what a thread has written before is seen by all then.
type MemoryModel uint8

// The models.
const (
	SC  MemoryModel = iota // at once
	TSO                    // later, in the order of the thread's writes; the thread itself sees them at once
	PSO                    // likewise, but only writes of one variable have an order
)

// String is the model's name in small letters.
func (m MemoryModel) String() string { return [...]string{"sc", "tso", "pso"}[m] }

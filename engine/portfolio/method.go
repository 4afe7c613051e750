package portfolio

import (
	"context"
	"fmt"
)

// Effort is counted work, in a unit that all methods of a session have in common as far as possible.
type Effort int64

// A Method looks for an answer of type O to a question, in shares of effort.
//
// Its laws:
//   - Effort is counted. Equal methods that are given equal shares give equal events, on any machine.
//   - Advance returns when about the share is used up, or before that when the method has given up or has the
//     answer. It may use more, by as much as its smallest step takes.
//   - After GaveUp and Ended a method gets no more shares. If it gets one, it gives the same event, with no
//     effort used.
//   - A method that can be looked at between two steps may return Paused after each. It goes on with what is left
//     of the share, or with 1 to come to the end of a step that takes more.
//   - When ctx ends, Advance returns soon with Worked. The method goes on with the next share. What was
//     found out meanwhile is kept, so the effort until the answer may be another.
type Method[O any] interface {
	// Name is what people pick the method by. It does not change.
	Name() string
	// Advance goes on for a share of effort, which is above 0.
	Advance(ctx context.Context, share Effort) Event[O]
}

// Unlimited is the share of a method that nobody waits for.
const Unlimited = Effort(1) << 48

// A Rewinder is a method that can be put back to where it had been granted so much in all, of a share in progress
// what it has used. Equal shares then give equal events again.
type Rewinder interface{ Rewind(granted Effort) }

// An Event is what a method did with a share: [Worked], [Paused], [GaveUp] or [Ended].
type Event[O any] interface {
	fmt.Stringer
	// Spent is the effort that was made.
	Spent() Effort
	answers(O)
}

type (
	// Worked is a share of a method that goes on.
	Worked[O any] struct {
		Used Effort
		What fmt.Stringer // what it has done, a type of the method's own; may be nil
	}
	// Paused is a step within a share that is not used up: the method goes on before any other does.
	Paused[O any] struct {
		Used Effort
		What fmt.Stringer // as of Worked
	}
	// GaveUp is the end of a method that has no answer. The others go on.
	GaveUp[O any] struct {
		Used Effort
		Why  error
	}
	// Ended is the answer. It ends the session of which the method is one.
	Ended[O any] struct {
		Used    Effort
		Outcome O
	}
)

func (Worked[O]) answers(O) {}
func (Paused[O]) answers(O) {}
func (GaveUp[O]) answers(O) {}
func (Ended[O]) answers(O)  {}

// Spent implements [Event].
func (e Worked[O]) Spent() Effort { return e.Used }

// Spent implements [Event].
func (e Paused[O]) Spent() Effort { return e.Used }

// Spent implements [Event].
func (e GaveUp[O]) Spent() Effort { return e.Used }

// Spent implements [Event].
func (e Ended[O]) Spent() Effort { return e.Used }

func (e Worked[O]) String() string {
	if e.What == nil {
		return "goes on"
	}
	return e.What.String()
}

func (e Paused[O]) String() string { return Worked[O](e).String() }

func (e GaveUp[O]) String() string { return fmt.Sprintf("gave up: %v", e.Why) }

func (e Ended[O]) String() string { return fmt.Sprint(e.Outcome) }

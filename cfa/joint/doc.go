// Package joint makes one automaton of several components that exchange messages with values.
//
//	auto, err := joint.Product(ctx, parts, joint.Question{})
//
// For example, one component that sends x as a and one that receives v from a have a product in which, where
// both stand at a,
//
//	a = x     action a     v = a
//
// happens. So a value that one sends and the other receives is one value, and what both do with it is seen together.
//
// SOUND and COMPLETE for traces: the product has the traces of the components side by side, which perform an
// action together that several of them know, and no others. It stands still where they do.
//
// Where that is asked, a run may say what is offered where all stand still, and end there (offers.go).
//
// Of whole runs it has those of the components as far as their actions tell, and says who can go on where (ready.go).
// An assumption of one ends the run at once there.
//
// Left out: components that call routines by their abstractions, or have threads; memory without variables in more
// than one of them.
package joint

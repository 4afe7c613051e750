// Package mist reads and writes the model files of the tool mist: Petri nets and their extensions by
// transfers, resets and tests for zero.
//
//	m, err := mist.Parse("net.spec", text)
//	text, err = mist.Write(m)
//
// As in mist, what a sum adds to a variable is moved: a variable of the sum to which the rule gives no
// value is empty afterwards, and giving 0 to a variable that others have been moved to changes nothing.
//
// Such a file has the sections vars, rules, init, target and invariants. Every variable is a natural
// number; a variable that init does not name can have any value. Each line of target is one set of bad
// configurations, or several lines if they end with a comma; all of them together are one property.
// Lines of invariants are read, so that mistakes in them are found, and not used: nothing says that they
// are invariants.
package mist

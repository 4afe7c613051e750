// Package param describes systems of any number of identical finite-state processes that share
// variables: parameterised systems.
//
// A [Model] has local states, shared variables, parameters and rules. A configuration ([Config]) is a
// number for each of these names: how many processes are in a local state, and what value a variable
// has. A rule moves some processes from state to state, if its guard holds, and updates variables.
// The question is whether a bad configuration can be reached from an initial one, for whatever number
// of processes.
//
//	m, err := param.Parse("rw.param", []byte(`
//		states think, read;
//		shared cnt: nat;
//		rule think -> read: cnt' = cnt + 1;
//		rule read -> think: cnt' = cnt - 1;
//		init think >= 0, cnt = 0;
//		bad read >= 2, cnt <= 1;
//	`))
//	c := param.Config{2, 0, 0}    // two processes think
//	c, ok := m.Fire(0, c)         // {1, 1, 1}
//
// The language of model files stands in grammar.txt. [Model.Format] writes one. Models of the tool mist
// are read and written by param/mist. [Compile] gives the form that decision procedures work on: linear
// inequalities and bit masks. [Model.Fire] and [Run.Replay], which say what is a run of a model, work on
// the model as it was written and share nothing with that.
//
// Left out: the search itself (param/engine), and processes that are ordered or have identities of
// their own.
package param

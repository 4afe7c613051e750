// Package specs reads the specification language: labelled transition systems
// written as processes, what is assumed and claimed about procedures, and what
// is claimed about programs of several components.
//
// The language is that of MAGIC 1.0, an extension of Magee and Kramer's FSP,
// as far as its successor Copper reads it too; grammar.txt has it whole. The
// terms are those of
//
//	Chaki, Clarke, Groce, Ouaknine, Strichman, Yorav: Efficient Verification
//	of Sequential and Concurrent C Programs, FMSD 25 (2004), section 3.
//
// An example:
//
//	Pump = ( lock -> Held ),
//	Held = ( fill -> Held | unlock -> return {$0 >= 0} -> STOP ).
//	Idle = ( return {$0 == -1} -> STOP ).
//	procedure run {
//		abstract { run_ok,   ($1 > 0),  Pump };
//		abstract { run_idle, ($1 <= 0), Idle };
//	}
//
// Here a call of run with a positive argument behaves as Pump:
//
//	file, err := specs.Parse(ctx, []specs.Source{{Name: "run.spec", Text: text}}, os.ReadFile)
//	actions := lts.NewActions()
//	m, err := file.LTS("Pump", actions)
//	fmt.Println(m) // Pump -lock-> Held, Held -fill-> Held, …
//
// What is decided beyond the grammar:
//
//   - A name in a process means the process's own state of that name if it has
//     one, else the process of that name in any of the files read together. So
//     files whose every definition ends with a full stop, as Copper's, see all
//     names.
//   - A program says of each component how many copies run ([Program]); what
//     they do together is not known here.
//   - Operators (+ \ @ /) apply to the whole process, whichever definition they
//     stand behind, in the order of the text.
//   - The alphabet of a process is every action its definitions mention and
//     those of the processes it leads to.
//   - A condition of a return mentions $0, and a guard does not. The return
//     action of all other values, return {other} in messages, cannot be
//     written.
//   - In .aut files tau alone is unobservable; hide CADP's i with \ {i}.
//
// Left out: FSP's indices, ranges, sets by name and priorities; MAGIC's
// assignment actions, silent transitions and broadcast; pointers, elements
// with an index that is not constant, strings and floating point in expressions, which are read and
// then reported as not modelled.
package specs

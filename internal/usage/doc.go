// Package usage says what this process has used so far: time of the processor and
// memory. It leaves out what children of the process used.
//
//	before := usage.Time()
//	work()
//	fmt.Println(usage.Time()-before, usage.Peak()>>20, "MiB")
package usage

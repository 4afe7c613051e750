package verdict

// A Share is what one method of a check had of the effort, and what came of it.
type Share struct {
	Method string
	Shares int   // how many it was given
	Effort int64 // that it has made in them, counted
	Result string
}

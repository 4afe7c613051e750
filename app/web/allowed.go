package web

// Which commands the page may give.

// allowed reports whether the page may give a command: one that reads and writes no files, starts
// no programs and changes no options. All others are for the terminal.
func allowed(name string) bool {
	switch name {
	case "step", "next", "run", "until", "break", "clear", "back", "forward", "goto", "history", "branch",
		"help", "claims", "claim", "check", "info", "show", "exit", "reload",
		"cfa", "preds", "mp", "ma", "product", "spec", "alphabet", "state", "block", "why", "trace", "points",
		"report", "coverage", "diff", "watch", "unwatch", "stats", "dot",
		"threads", "events", "reasons", "dropped",
		"pred", "split", "minimize", "choose", "assume", "simulate", "replay", "eval", "expect", "echo":
		return true
	}
	return false
}

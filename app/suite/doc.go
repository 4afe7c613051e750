// Package suite reads suites: files in TOML that say what is claimed of which files, and what is
// expected to come out.
//
//	[options]                # of magus check, for all claims
//	timeout = "30s"
//
//	[[claim]]
//	files   = ["lock.c", "lock.spec"]
//	verdict = "conforms"
//
//	[[group]]
//	name  = "relocking"
//	files = ["relock.c", "lock.spec"]   # of its claims that name none
//
//	[[group.claim]]
//	procedure = "work"
//	verdict   = "violates"
//	trace     = ["lock", "lock"]
//
// Names of files are relative to the suite, which is left to who reads them. A key that is not known is an
// error, since it is a misspelling.
//
// Left out: checking the claims.
package suite

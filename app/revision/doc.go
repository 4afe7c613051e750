// Package revision tells which files are as a revision of git has them.
//
//	tree, err := revision.Read(ctx, dir, "origin/main")
//	tree.Has("/home/me/project/lock.c")   // true: the same text stands there, and the same links lead there
//	tree.Lacks("/home/me/project/lock.h") // true: nothing stands there, then and now
//
// What cannot be known is no: files outside the repository, those of submodules and of repositories within it, and
// what is neither a regular file nor a folder.
//
// Left out: which files somebody reads.
package revision

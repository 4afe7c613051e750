// Package lsp is a server of the Language Server Protocol: what an editor asks while
// specifications and C are written.
//
//	err := lsp.Serve(ctx, conn, lsp.Settings{Host: job.System(), Version: "1.0"})
//
// It answers with what is wrong in the texts as they are typed, where names are defined and
// used, across specifications and C, what may stand at a place, what a name stands for, renames and
// formats, and offers to check claims in place: the verdict stands above the claim, a counterexample is a
// diagnostic whose related places are its steps.
//
// The way of the data: the texts of the editor (document.go, text.go) lie over the files on disk.
// Files that are checked together are a [group] (group.go). A group is read into an [index] of
// all names (index.go), which is never changed; another change of a text makes another one.
// Questions are answered from the index (find.go, complete.go, hover.go, rename.go,
// action.go, calls.go) or from one specification alone (shape.go), and checks are made by
// package job (check.go).
//
// Left out: everything about C that C's own servers do.
package lsp

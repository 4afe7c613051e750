// Package inorder does things at the same time and tells what came out in their order.
//
//	inorder.Each(len(files), 2, func(i int) string { return check(files[i]) }, func(i int, text string) {
//		fmt.Println(text) // of files[0], then files[1], ...
//	})
//
// Left out: errors and ends. Whoever can be interrupted has work look at its context.
package inorder

// Package outfile is the only room that writes files which people name. It sees to it that nothing is lost:
//
//	run := outfile.New()
//	run.Reads("/home/ann/lock.c")
//	sarif := outfile.Name{Flag: "--sarif", Text: "out.sarif", Path: "/home/ann/out.sarif"}
//	if err := run.Try(sarif); err != nil {
//		return err // before any work: nothing was written
//	}
//	...
//	err := run.Write(sarif, func(out io.Writer) error { return log.Write(out) })
//
// An output never replaces a file that the run reads, another output of the run, or what magus has not written.
// Which files are the same the system says, behind links and by whatever name. What magus has written is known by
// its beginning (recognise.go). A file is written beside, under a name of its own, and then takes the place of
// the one that was there: it is there completely or not at all. Where a name is a link, what it leads to is replaced.
//
// Left out: what is in the files, and which files a command writes. What a shell redirects is the shell's.
package outfile

// Package libc has models of functions of the C library: bodies in C that do what
// ISO C and POSIX say, and give any value where they leave it open. It knows no
// syntax tree: a model is text.
//
//	unit, _ := libc.Unit([]string{"atexit"})  // what atexit needs, as one preprocessed unit
//	text, _ := libc.Text("atexit")            // as people read it
//
// A file has the functions of one header, or of headers that belong together. Its
// definitions are separated by blank lines, and have none in them; a comment at the
// beginning of one is part of it. A definition whose name begins with libc_ is for the
// models themselves.
//
// # What models are written in
//
// A model calls nothing but what begins with libc_ or __magus_, so that what a
// program defines under the name of a library's function is never called by one. The
// following mean something in models only:
//
//	__magus_int(), _long(), _double(), _pointer()  any value, as what the function gives
//	__magus_open_int(), _open_long()     any value that C leaves open
//	__magus_unknown_int(), _long(), _long_long(), _pointer(), _double(), _float()
//	                                     any value that no violation may rest on
//	__magus_bits(x), _number_of(n)       the bits of a number, and the number of bits; with an f at the end of a float
//	__magus_trunc(x), _copysign(x, y)    as the functions of math.h; with an f at the end of floats
//	__magus_number(s), _number_end(s)    the decimal number that the text s begins with, and how many characters it
//	                                     has; no violation may rest on them where it is not among the first of the text
//	__magus_error()                      a positive number, for errno
//	__magus_assume(c)                    the run goes on only if c
//	__magus_known(c)                     the same of what holds for the true value of one that is not modelled, so that
//	                                     no run rests on the one that it has for that
//	__magus_told("what")                 an assumption, told with the call
//	__magus_succeeds()                   an assumption that the call succeeds, told where its result is used
//	__magus_memory(p, n)                 any value in n bytes from p on
//	__magus_blur(p, n)                   the same, but no violation may rest on it
//	__magus_object(p)                    any value in what the parameter p is declared to point to
//	__magus_touch(p, n)                  n bytes from p on are read
//	__magus_output(p, n)                 up to n bytes from p on are read and go outside
//	__magus_handle()                     the address of something new, which is not NULL
//	__magus_new(n)                       the address of n bytes of new memory, or NULL
//	__magus_printed()                    how many characters the call prints; no violation may rest on it where its
//	                                     format or its arguments are not known
//	__magus_closed(p)                    what __magus_handle gave may be new once more
//	__magus_halt()                       the component stops, without a return
//	__magus_wait()                       the thread goes no further; in a section it waits where that begins
//	__magus_atomic_begin(), _atomic_end()  a section that is executed in one piece
//	__magus_threads(), __magus_thread()  whether the component has several threads; which one this is, from 0
//	__magus_early()                      whether a thread that waits for a condition wakes up without a signal: yes; any
//	                                     value where it is asked whether threads wait for ever
//	__magus_deadlocks()                  whether that is asked
//	__magus_undefined("what")            C leaves it undefined: an error where pointers are checked, else told
//	__magus_unmodelled("what")           it is not modelled
//	for (size_t i = 0; i < __magus_steps(s, n); i++)
//	                                     a loop over the characters of the text s, or n of
//	                                     them, which is written out; a model with one stands
//	                                     for a call only if the length is known of one of them
//	__magus_steps_if_known(s, n)         the same; if no length is known the loop does nothing
//	__magus_steps_or_few(s, n)           the same; if no length is known the loop ends after a few characters, so
//	                                     that what is behind it stands for all others; where pointers are
//	                                     checked, as __magus_steps
//
// The first kind is what a replay is given as the result of the function: a run of
// a model that uses it comes by exactly one of them.
//
// # What stands twice
//
// pthread_once and call_once have one body, functions of users are those of groups, and the tables of ctype.c have
// rows in common. A function for both would be one frame more in every run that is shown, and no table of C is made of
// another's rows.
//
// # What is left out
//
// SOUNDNESS: a model has every result that the standards allow; what it stores is
// all that the function stores. What cannot be said in C is told by the lowering (package
// lower, text.go, library.go): texts, allocation, copies.
package libc

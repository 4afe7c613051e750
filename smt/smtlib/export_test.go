package smtlib

import "bufio"

// ReadAnswer reads one s-expression and prints it.
func ReadAnswer(r *bufio.Reader) (string, error) {
	s, err := (&reader{r: r}).next()
	return s.String(), err
}

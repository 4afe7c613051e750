package compdb

// Taking a command apart as a POSIX shell does (Shell Command Language, 2.2
// Quoting and 2.3 Token Recognition), without expanding anything: a command in
// a database is already what the shell was given. Cost: linear.

import (
	"errors"
	"strings"
)

// Split gives the words of a command.
func Split(command string) ([]string, error) {
	var words []string
	var word strings.Builder
	inWord := false
	for i := 0; i < len(command); i++ {
		c := command[i]
		switch {
		case strings.IndexByte(" \t\r\n", c) >= 0:
			if inWord {
				words = append(words, word.String())
				word.Reset()
			}
			inWord = false
			continue
		case c == '\\':
			i++
			if i == len(command) {
				return nil, errors.New("ends in a backslash")
			}
			if command[i] == '\n' {
				continue // joins two lines
			}
			word.WriteByte(command[i])
		case c == '\'' || c == '"':
			n := quoted(command[i+1:], c, &word)
			if n < 0 {
				return nil, errors.New("a quote is not closed")
			}
			i += n + 1
		default:
			word.WriteByte(c)
		}
		inWord = true
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}

// quoted writes what stands before the closing quote and gives its index, or
// -1. Between double quotes a backslash takes away the meaning of $ ` " \ only.
func quoted(text string, quote byte, word *strings.Builder) int {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == quote:
			return i
		case c == '\\' && quote == '"' && i+1 < len(text) && strings.IndexByte("$`\"\\\n", text[i+1]) >= 0:
			i++
			if text[i] != '\n' {
				word.WriteByte(text[i])
			}
		default:
			word.WriteByte(c)
		}
	}
	return -1
}

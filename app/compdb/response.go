package compdb

// Response files: @file among the arguments of a command stands for the arguments in the file.
//
// Source: GCC's manual, "Overall Options", @file, and for quotes libiberty's buildargv: words are parted by
// blanks, both kinds of quotes keep them together, and a backslash takes away the meaning of
// any character, within quotes too. What GCC takes for the name of a source since there is no such file
// is an error here. Cost: linear in the files.

import (
	"fmt"
	"strings"
)

// mostResponses is how many response files one command may lead to.
const mostResponses = 200

// Expand puts the arguments in response files in the place of their names. read gives the text of a file by
// its name as the command has it; its errors say what is wrong and not with which file.
func (c *Command) Expand(read func(name string) ([]byte, error)) error {
	files := 0
	var expand func(args []string) ([]string, error)
	expand = func(args []string) (all []string, err error) {
		for _, arg := range args {
			name, is := strings.CutPrefix(arg, "@")
			if !is {
				all = append(all, arg)
				continue
			}
			if files++; files > mostResponses {
				return nil, fmt.Errorf("the response file %s: more than %d of them lead to each other", arg, mostResponses)
			}
			text, err := read(name)
			if err != nil {
				return nil, fmt.Errorf("the response file %s: %w", arg, err)
			}
			inner, err := expand(words(string(text)))
			if err != nil {
				return nil, err
			}
			all = append(all, inner...)
		}
		return all, nil
	}
	if len(c.Arguments) == 0 {
		return nil
	}
	args, err := expand(c.Arguments[1:])
	if err != nil {
		return err
	}
	c.Arguments = append(c.Arguments[:1:1], args...)
	if c.Output == "" {
		c.Output = output(c.Arguments)
	}
	return nil
}

// words are the arguments in a response file.
func words(text string) (all []string) {
	var word strings.Builder
	in, quote := false, byte(0)
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '\\' && i+1 < len(text):
			i++
			word.WriteByte(text[i])
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case quote == 0 && strings.IndexByte(" \t\r\n\v\f", c) >= 0:
			if in {
				all = append(all, word.String())
				word.Reset()
			}
			in = false
			continue
		default:
			word.WriteByte(c)
		}
		in = true
	}
	if in {
		all = append(all, word.String())
	}
	return all
}

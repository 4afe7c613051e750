package repl

// Names of files: patterns, the home folder, folders.

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"
)

// fileCommands are the commands about files and folders.
func fileCommands() []*Command {
	return []*Command{
		{Name: "cd", Group: groupSession, Args: "[FOLDER]",
			Short: "Go to a folder, to which names of files are relative from then on",
			Long:  "Without FOLDER it is the home folder. What is loaded stays.", kinds: []kind{kindFolder}, run: changeFolder},
		{Name: "pwd", Group: groupSession, Short: "Show the folder that names of files are relative to", run: showFolder},
		{Name: "ls", Group: groupSession, Args: "[FILE...]", Short: "List files; patterns have * ? and [a-z]",
			kinds: []kind{kindFile}, run: list},
	}
}

// fileNames are the files that words name: a word without quotes may be a pattern, and begin with ~/.
func (h *Host) fileNames(ws []word) (names []string, err error) {
	for _, w := range ws {
		name := w.text
		if !w.quoted {
			if name, err = h.home(name); err != nil {
				return nil, err
			}
		}
		if w.quoted || !strings.ContainsAny(name, "*?[") {
			names = append(names, name)
			continue
		}
		found, err := h.glob(name)
		if err != nil {
			return nil, err
		}
		names = append(names, found...)
	}
	return names, nil
}

// home substitutes the home folder for ~.
func (h *Host) home(name string) (string, error) {
	if name != "~" && !strings.HasPrefix(name, "~/") {
		return name, nil
	}
	if h.Home == "" {
		return "", errors.New("~: there is no home folder; HOME is not set")
	}
	return h.Home + name[1:], nil
}

// glob are the names that match a pattern, sorted; none is an error.
func (h *Host) glob(pattern string) ([]string, error) {
	if _, err := path.Match(pattern, ""); err != nil {
		return nil, fmt.Errorf("%s: a closing ] is missing", pattern)
	}
	found, rooted := []string{""}, strings.TrimLeft(pattern, "/")
	if rooted != pattern {
		found = []string{"/"}
	}
	for left := rooted; left != ""; {
		part, rest, more := strings.Cut(left, "/")
		var next []string
		for _, dir := range found {
			next = append(next, h.within(dir, part, more)...)
		}
		found, left = next, strings.TrimLeft(rest, "/")
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("%s: no file has such a name", pattern)
	}
	return found, nil
}

// within are the names in a folder that match one part of a pattern; folder says that more follows.
func (h *Host) within(dir, part string, folder bool) (found []string) {
	if !strings.ContainsAny(part, "*?[") {
		if folder {
			part += "/"
		}
		return []string{dir + part}
	}
	prefix := dir
	if strings.HasPrefix(part, ".") {
		prefix += "."
	}
	for _, name := range h.Files(prefix) {
		base, isFolder := strings.CutSuffix(strings.TrimPrefix(name, dir), "/")
		if ok, _ := path.Match(part, base); ok && (isFolder || !folder) {
			found = append(found, name)
		}
	}
	return found
}

// changeFolder is the command cd.
func changeFolder(_ context.Context, c *call) error {
	names, err := c.host.fileNames(c.words[1:])
	if err != nil {
		return err
	}
	switch {
	case len(names) > 1:
		return c.usage()
	case len(names) == 0 && c.host.Home == "":
		return errors.New("there is no home folder; HOME is not set")
	case len(names) == 0:
		names = []string{c.host.Home}
	}
	c.files, err = c.host.ChangeFolder(names[0], c.files)
	return err
}

// showFolder is the command pwd.
func showFolder(_ context.Context, c *call) error {
	c.printf("%s\n", c.host.Folder())
	return nil
}

// list is the command ls.
func list(_ context.Context, c *call) error {
	if len(c.args) == 0 {
		for _, name := range c.host.Files("") {
			c.printf("%s\n", name)
		}
		return nil
	}
	names, err := c.host.fileNames(c.words[1:])
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := c.listed(name); err != nil {
			return err
		}
	}
	return nil
}

// listed lists a file, or what is in a folder.
func (c *call) listed(name string) error {
	name = strings.TrimSuffix(name, "/")
	for _, there := range c.host.Files(name) {
		switch there {
		case name:
			c.printf("%s\n", name)
			return nil
		case name + "/":
			for _, inside := range c.host.Files(there) {
				c.printf("%s\n", inside)
			}
			return nil
		}
	}
	if strings.HasSuffix(name, ".") || name == "" { // . and .. are in no folder
		for _, inside := range c.host.Files(name + "/") {
			c.printf("%s\n", inside)
		}
		return nil
	}
	return fmt.Errorf("%s: no such file", name)
}

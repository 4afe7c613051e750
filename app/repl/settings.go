package repl

// The options: those of checks, which the host's engine has, and those of the shell itself.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"magus/app/draw"
	"magus/internal/phrase"
)

// settings are the options that set and show know.
type settings struct{ *console }

// set is the command set.
func set(_ context.Context, c *call) error {
	if len(c.args) == 0 {
		return c.usage()
	}
	name, value := strings.TrimLeft(c.args[0], "-"), strings.Join(c.args[1:], " ")
	if own, err := c.settings.set(name, value); own || err != nil {
		return err
	}
	ofChecks := c.host.Engine.Settings()
	var err error
	if len(c.args) == 1 {
		err = ofChecks.Reset(name)
	} else {
		err = ofChecks.Set(name, value)
	}
	for _, note := range ofChecks.TakeNotes() {
		c.printf("%s\n", note)
	}
	if err != nil {
		return err
	}
	if c.session != nil && c.prompting {
		c.printf("reload begins a session with it\n")
	}
	return nil
}

// set sets an option of the shell itself.
func (sh *settings) set(name, value string) (own bool, err error) {
	switch name {
	case "limit":
		if value == "" {
			sh.limit = draw.DefaultLimit
			return true, nil
		}
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 {
			return true, fmt.Errorf("limit: must be a number of at least 1")
		}
		sh.limit = n
		return true, nil
	case "echo":
		switch value {
		case "on", "off":
			sh.echo = value == "on"
			return true, nil
		}
		return true, errors.New("echo: must be on or off")
	}
	return false, nil
}

// A setting is an option as show shows it.
type setting struct {
	name, value, help string
	changed           bool
	choices           []string // the values it can have, if they are few
}

// all are the options of checks and those of the shell itself.
func (sh *settings) all() []setting {
	var all []setting
	s := sh.host.Engine.Settings()
	for _, r := range s.Rows() {
		v := r.Of(s.Options)
		all = append(all, setting{r.Name, v.String(), r.Plain(), s.IsSet(r.Name), v.Choices()})
	}
	echo := "off"
	if sh.echo {
		echo = "on"
	}
	return append(all,
		setting{name: "echo", value: echo, help: "show each line as it is executed",
			choices: []string{"on", "off"}},
		setting{name: "limit", value: strconv.Itoa(sh.limit), help: "nodes that a drawing has without --all",
			changed: sh.limit != draw.DefaultLimit})
}

// show is the command show.
func show(_ context.Context, c *call) error {
	all := c.settings.all()
	if len(c.args) == 1 {
		name := strings.TrimLeft(c.args[0], "-")
		i := slices.IndexFunc(all, func(s setting) bool { return s.name == name })
		if i < 0 {
			var names []string
			for _, s := range all {
				names = append(names, s.name)
			}
			return fmt.Errorf("no option %s%s", name, phrase.Suggest(name, names))
		}
		var b strings.Builder
		writeFilled(&b, "", all[i].help, 2, c.width())
		c.printf("%s = %s\n%s", all[i].name, orDefault(all[i].value), b.String())
		return nil
	}
	if len(c.args) > 1 {
		return c.usage()
	}
	for _, s := range all {
		mark := " "
		if s.changed {
			mark = "*"
		}
		c.row("%s", phrase.Clip(fmt.Sprintf("%s %-19s %-10s %s", mark, s.name, orDefault(s.value), s.help), c.width()))
	}
	c.printf("%s", reflowed("* is not the default; show OPTION says all of an option", c.width()))
	return nil
}

// orDefault is a value, or - for the default.
func orDefault(value string) string {
	if value == "" {
		return "-"
	}
	return value
}

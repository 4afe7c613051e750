package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"magus/smt/embedded"
	"magus/smt/expr"
	"magus/smt/solver"
)

// A comparison is that of the queries of one file.
type comparison struct {
	times [][]time.Duration // of the house, then of the others
	why   string            // why not all queries were put, "" if all were

	house    solver.Full
	peers    []*peer
	limit    time.Duration
	preamble strings.Builder // what stands outside of scopes: a process that is started anew is told it
}

// compare puts the queries of a file to all.
func compare(text string, peers []string, most int, limit time.Duration) (*comparison, error) {
	r := newReader()
	c := &comparison{times: make([][]time.Duration, 1+len(peers)), house: embedded.New(r.pool), limit: limit}
	defer c.end()
	for _, name := range peers {
		p, err := startPeer(name, "")
		if err != nil {
			return nil, err
		}
		c.peers = append(c.peers, p)
	}
	var conds []*expr.Expr
	scope, query := false, ""
	for line := range strings.Lines(text) {
		if len(c.times[0]) == most {
			c.why = ", the first"
			break
		}
		query += line
		t := r.line(line)
		if r.err != nil {
			return nil, r.err
		}
		switch {
		case strings.HasPrefix(line, "(push"):
			scope, conds = true, nil
		case strings.HasPrefix(line, "(pop"):
			if err := c.query(query, conds); err != nil {
				return nil, fmt.Errorf("query %d: %w", len(c.times[0]), err)
			}
			scope, query = false, ""
		case scope && t != nil:
			conds = append(conds, t)
		case !scope:
			c.preamble.WriteString(line)
			if t != nil {
				c.house.Assert(t)
			}
		}
	}
	return c, nil
}

// query puts a query to all, and compares the answers.
func (c *comparison) query(text string, conds []*expr.Expr) error {
	ctx, cancel := context.WithTimeout(context.Background(), c.limit)
	begin := time.Now()
	r, err := c.house.Check(ctx, conds...)
	c.times[0] = append(c.times[0], min(c.limit, time.Since(begin)))
	cancel()
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	answer, by := "", ""
	if r != solver.Unknown {
		answer, by = r.String(), "the house"
	}
	for i, p := range c.peers {
		theirs, took, err := p.ask(text, c.limit)
		if err != nil {
			return err
		}
		if theirs != "" {
			took = max(0, took-p.round)
		}
		c.times[1+i] = append(c.times[1+i], took)
		switch {
		case theirs == "":
			p.end()
			if c.peers[i], err = startPeer(p.name, c.preamble.String()); err != nil {
				return err
			}
		case answer == "":
			answer, by = theirs, p.name
		case answer != theirs:
			return fmt.Errorf("%s says %s, but %s says %s", by, answer, p.name, theirs)
		}
	}
	return nil
}

func (c *comparison) end() {
	_ = c.house.Close()
	for _, p := range c.peers {
		p.end()
	}
}

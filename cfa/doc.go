// Package cfa holds control-flow automata of C components.
package cfa

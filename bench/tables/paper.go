package main

// The paper's figures, where a folder with them is given.

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A figure is one of the paper's tables: rows of cells by their headings.
type figure []map[string]string

// figures are those of the paper that are compared with; all are empty where
// nothing is to compare with.
type figures struct {
	minimization           figure // figures 11, 12 and 13
	kernel                 figure // 16
	sequential, concurrent figure // 17, 18
}

// readFigures reads the tables from a folder. A folder that is not there is no
// error: found is false, and there is nothing to compare with.
func readFigures(dir string) (f figures, found bool, err error) {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return f, false, nil
	}
	for _, file := range []struct {
		name string
		to   *figure
	}{
		{"fig11_12_13.tsv", &f.minimization},
		{"fig16.tsv", &f.kernel},
		{"fig17.tsv", &f.sequential},
		{"fig18.tsv", &f.concurrent},
	} {
		if *file.to, err = readFigure(filepath.Join(dir, file.name)); err != nil {
			return figures{}, false, err
		}
	}
	return f, true, nil
}

func readFigure(path string) (figure, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var rows figure
	var heads []string
	for n, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		cells := strings.Split(strings.TrimRight(line, "\r"), "\t")
		if n == 0 {
			heads = cells
			continue
		}
		if len(cells) != len(heads) {
			return nil, fmt.Errorf("%s:%d: %d columns, the headings are %d", path, n+1, len(cells), len(heads))
		}
		row := map[string]string{}
		for i, h := range heads {
			row[h] = cells[i]
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// find is the first row with the given cell; nil if there is none or the cell
// is empty.
func (f figure) find(head, cell string) map[string]string {
	for _, row := range f {
		if cell != "" && row[head] == cell {
			return row
		}
	}
	return nil
}

// cells are those of the named columns; "" where row is nil.
func cells(row map[string]string, heads ...string) []string {
	out := make([]string, len(heads))
	for i, h := range heads {
		out[i] = row[h]
	}
	return out
}

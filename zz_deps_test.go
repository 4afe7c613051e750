package magus

import (
	_ "github.com/chzyer/readline"
	_ "github.com/crillab/gophersat/solver"
	_ "github.com/emicklei/dot"
	_ "github.com/rogpeppe/go-internal/testscript"
	_ "github.com/spf13/cobra"
	_ "github.com/stretchr/testify/assert"
	_ "github.com/stretchr/testify/require"
	_ "modernc.org/cc/v4"
	_ "pgregory.net/rapid"
)

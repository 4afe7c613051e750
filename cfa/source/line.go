package source

import "context"

// LineMacros reports whether a macro gives the number of a line directive that the preprocessor comes to
// (C11 6.10.4p5): then [Origins] does not know where the lines behind it are said to stand.
func (s Source) LineMacros(ctx context.Context, opt Options) bool {
	s.Text = withoutMark(s.Text)
	out, _, err := s.preprocess(ctx, opt)
	return err != nil || out.LineMacros
}

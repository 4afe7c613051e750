package draw

import "context"

// Dot is the DOT text of what is selected. The note, if not empty, says what was
// left out to keep the limit.
func (p *Picture) Dot(s Selection) (text, note string, err error) {
	d, note, err := p.Drawing(context.Background(), s)
	if err != nil {
		return "", "", err
	}
	return d.String(), note, nil
}

package certificate

// Certificates of claims that are made of others.
//
// Idea: where a claim says several things, and each is asked by itself, each is shown by itself. Which
// claims these are says who knows what the claim means; here only that none is missing.
//
// Cost: that of the parts.

// mostNested is how often parts have parts: failures and divergences of threads are made of two claims, and failures
// are made of two.
const mostNested = 2

// InParts are the n parts of a certificate, each with its verdict and the name of its claim; a *RefutedError if there
// are not so many.
func (c *Certificate) InParts(n int) ([]*Certificate, error) {
	if len(c.Parts) != n {
		return nil, refuted(c.line, "%d parts show that the program %s, where %d are needed", len(c.Parts), c.Verdict, n)
	}
	for _, p := range c.Parts {
		switch {
		case p.Claim != c.Claim:
			return nil, refuted(p.line, "a part of a certificate of %q is one of %q", c.Claim, p.Claim)
		case p.Verdict != c.Verdict:
			return nil, refuted(p.line, "a part shows that the program %s, the whole that it %s", p.Verdict, c.Verdict)
		}
	}
	return c.Parts, nil
}

// Whole is an error if a certificate is one in parts, where the claim has none.
func (c *Certificate) Whole() error {
	if len(c.Parts) > 0 {
		return refuted(c.line, "it is in parts, and the claim is not made of any")
	}
	return nil
}

// parts reads those of a certificate.
func (in *reader) parts(c *Certificate, r claimRecord, depth int) error {
	switch {
	case r.Parts < 0 || depth == mostNested:
		return in.wrong("%d parts", r.Parts)
	case r.Components != 0 || r.Threads != nil:
		return in.wrong("parts, and what shows the claim without")
	}
	for range r.Parts {
		p, err := in.certificate(depth + 1)
		if err != nil {
			return err
		}
		c.Parts = append(c.Parts, p)
	}
	return nil
}

// OfThreads is an error unless a part is about a program with threads, and about what they refuse just if it should be.
func (c *Certificate) OfThreads(refuses bool) error {
	switch {
	case c.Threads == nil || len(c.Parts) > 0:
		return refuted(c.line, "a part says nothing of threads")
	case c.Threads.Refuses != refuses:
		return refuted(c.line, "the parts are that nothing forbidden is done, and then that nothing is refused")
	}
	return nil
}

package session

// LargeDifference has the limits of a large difference of a count, which needs a second count
// with the same result, or a supervisor. A difference is large if it exceeds both.
type LargeDifference struct {
	Pieces  int64
	Percent int64 // of the recorded quantity
}

// DefaultLargeDifference returns the limits of a company that sets none.
func DefaultLargeDifference() LargeDifference { return LargeDifference{Pieces: 10, Percent: 10} }

// Exceeded reports whether a difference of n pieces is large.
func (d LargeDifference) Exceeded(n, recorded int64) bool {
	return n > d.Pieces && n*100 > d.Percent*recorded
}

// LargeDifference returns the limits of a large difference of a count: those of the
// organization, or of this terminal where the organization sets none.
func (s *Site) LargeDifference() LargeDifference {
	out := DefaultLargeDifference()
	if s.opts.LargeDifference != nil {
		out = *s.opts.LargeDifference
	}

	rules := s.Rules()
	if rules.CountLimitPieces != nil {
		out.Pieces = *rules.CountLimitPieces
	}
	if rules.CountLimitPercent != nil {
		out.Percent = *rules.CountLimitPercent
	}

	return out
}

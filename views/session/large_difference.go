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

// LargeDifference returns the limits of a large difference of a count.
func (s *Site) LargeDifference() LargeDifference {
	if s.opts.LargeDifference == nil {
		return DefaultLargeDifference()
	}
	return *s.opts.LargeDifference
}

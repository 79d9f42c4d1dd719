package outbox

import "time"

const (
	minBackoff = time.Second
	// maxOperationBackoff limits the pause of one operation, and of reading,
	// while other requests succeed.
	maxOperationBackoff = 30 * time.Second
	// maxAloneBackoff limits the pause of an operation of which aloneAfter attempts in a
	// row failed although other requests succeed. Between two attempts there is time to
	// find out that the service did not record it.
	maxAloneBackoff = 4 * time.Minute
	aloneAfter      = 6
	// maxThrottle limits the pause that a busy service may ask for.
	maxThrottle = 5 * time.Minute
	// maxQuotaPause limits the pause after an exceeded quota.
	maxQuotaPause = time.Hour
	// recheckInterval is how often a denied key, or a quota without an end, is
	// tried again.
	recheckInterval = 5 * time.Minute
)

// pauseActive reports whether a pause has not ended. A pause longer than the
// maximum means that the clock was set back, and is over.
func pauseActive(now, at time.Time, limit time.Duration) bool {
	return at.After(now) && !at.After(now.Add(limit))
}

// PauseActive reports whether a pause of reading has not ended.
func PauseActive(now, at time.Time) bool { return pauseActive(now, at, maxThrottle) }

// backoff returns the pause after a number of failed attempts: doubled each
// time, and spread over its upper half so that clients do not retry at once.
func backoff(tries int, limit time.Duration, random float64) time.Duration {
	d := minBackoff << min(tries-1, 16)
	d = min(d, limit)
	return (d/2 + time.Duration(random*float64(d/2))).Truncate(time.Millisecond)
}

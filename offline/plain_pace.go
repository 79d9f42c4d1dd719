package offline

import (
	"strconv"
	"time"

	"bincard/server/api"
)

// A pace holds reading to its share of what the service answers: a fifth of the
// requests of a month where it has told how many those are.
type pace struct {
	asked int           // since the last rest
	apart time.Duration // between two requests, on average
	idle  int           // rounds in which nothing was new
}

const (
	share = 5
	month = 30 * 24 * time.Hour
	// brisk is the pause after a round in which anything happened; from there it
	// grows to slow. spare is between two requests where no quota is known.
	brisk = 2 * time.Second
	slow  = time.Minute
	spare = brisk / 8
)

// rest is how long to wait after a round.
func (p *pace) rest(busy bool) time.Duration {
	if p.idle++; busy {
		p.idle = 0
	}
	d := min(brisk<<min(p.idle, 6), slow)
	d = max(d, time.Duration(p.asked)*max(p.apart, spare))
	p.asked = 0
	return d
}

// spent is how long to wait after an error, beside what any error costs.
func (p *pace) spent(err error) time.Duration {
	d := max(pauseOf(err), time.Duration(p.asked)*p.apart)
	p.asked = 0
	if !api.HasCode(err, api.PlanLimitExceeded) {
		return d
	}
	text, _ := api.AsError(err).Details["limit"].(string)
	if n, _ := strconv.ParseInt(text, 10, 64); n > 0 && api.AsError(err).Details["entitlementKey"] == "api_requests" {
		p.apart = month * share / time.Duration(n)
	}
	return max(d, recheck)
}

// recheck is how often a quota that is used up is tried again.
const recheck = 15 * time.Minute

package offline

import (
	"strconv"
	"time"

	"bincard/server/api"
)

// A pacer holds reading to its share of what the service answers: a fifth of the
// requests of a month where it has told how many those are.
type pacer struct {
	requests   int           // since the last rest
	spacing    time.Duration // between two requests, on average
	idleCycles int           // rounds in which nothing was new
}

const (
	readShare = 5
	month     = 30 * 24 * time.Hour
	// minPause is the pause after a round in which anything happened; from there it
	// grows to slow. spare is between two requests where no quota is known.
	minPause   = 2 * time.Second
	maxPause   = time.Minute
	minSpacing = minPause / 8
)

// afterCycle is how long to wait after a round.
func (p *pacer) afterCycle(busy bool) time.Duration {
	if p.idleCycles++; busy {
		p.idleCycles = 0
	}
	d := min(minPause<<min(p.idleCycles, 6), maxPause)
	d = max(d, time.Duration(p.requests)*max(p.spacing, minSpacing))
	p.requests = 0
	return d
}

// resetRequests takes the first filling off what is waited for: it is done once, and
// who has just begun is not to wait hours for the next look.
func (p *pacer) resetRequests() { p.requests = 0 }

// afterError is how long to wait after an error, beside what any error costs.
func (p *pacer) afterError(err error) time.Duration {
	d := max(retryAfter(err), time.Duration(p.requests)*p.spacing)
	p.requests = 0
	if !api.HasCode(err, api.PlanLimitExceeded) {
		return d
	}
	return max(d, quotaRecheck)
}

// setQuota takes how many requests the service answers in a month, 0 where that is
// not known.
func (p *pacer) setQuota(requests int64) {
	if requests > 0 {
		p.spacing = month * readShare / time.Duration(requests)
	}
}

// requestLimit is how many requests a month an error says that there are, 0 where
// it does not.
func requestLimit(err error) int64 {
	e := api.AsError(err)
	text, _ := e.Details["limit"].(string)
	n, _ := strconv.ParseInt(text, 10, 64)
	if e.Code != api.PlanLimitExceeded || e.Details["entitlementKey"] != "api_requests" || n < 0 {
		return 0
	}
	return n
}

// quotaRecheck is how often a quota that is used up is tried again.
const quotaRecheck = 15 * time.Minute

// RequestsName is the name, in the journal's folder, of how many requests the
// service answers in a month, as it said when they were used up. It can be lost:
// then it is said again.
const RequestsName = "requests.month"

// monthlyRequests is how many requests a month there are for this node, 0 where that is
// not known: no more than it was told, and than the service has.
func (n *Node) monthlyRequests() int64 {
	text, err := readFile(n.cfg.Folder, RequestsName)
	if err != nil {
		return n.cfg.Requests
	}
	known, _ := strconv.ParseInt(string(text), 10, 64)
	return minKnown(n.cfg.Requests, known)
}

// minKnown is the lesser of two numbers of requests, of which 0 is not known.
func minKnown(a, b int64) int64 {
	if a <= 0 || b > 0 && b < a {
		return max(0, b)
	}
	return a
}

// learnQuota takes how many requests a month the service says that there are, and
// notes it for the next start.
func (p *pollingSyncer) learnQuota(requests int64) {
	if requests <= 0 || requests == p.learnedQuota {
		return
	}
	p.learnedQuota = requests
	p.pace.setQuota(minKnown(p.cfg.Requests, requests))
	if err := replaceFile(p.cfg.Folder, RequestsName, strconv.AppendInt(nil, requests, 10)); err != nil {
		p.cfg.Log.Warn("cannot save the service's monthly quota; learning it again", "error", err)
	}
}

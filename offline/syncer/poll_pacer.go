package syncer

import (
	"strconv"
	"time"

	"bincard/offline/journal"
	"bincard/offline/outbox"
	"bincard/server/api"
)

// A pacer limits reading to its share of the requests that the service
// permits: a fifth of the monthly quota, if known.
type pacer struct {
	requests   int           // since the last pause
	spacing    time.Duration // average time between two requests
	idleCycles int           // cycles without changes in a row
	// awaited is for how many cycles the operations without an answer have been looked for.
	awaited map[string]int
}

const (
	readShare = 5
	month     = 30 * 24 * time.Hour
	// minPause is the pause after a cycle with changes; it grows to maxPause
	// while there are none. minSpacing is the time per request if no quota is
	// known.
	minPause   = 2 * time.Second
	maxPause   = time.Minute
	minSpacing = minPause / 8
	// awaitedCycles is for how many cycles an operation without an answer keeps the pause
	// short. Some are never found: a service may not report the keys of movements.
	awaitedCycles = 15
)

// awaits reports whether one of the operations without an answer may soon be found.
func (p *pacer) awaits(unanswered []*outbox.Operation) (soon bool) {
	awaited := make(map[string]int, len(unanswered))
	for _, op := range unanswered {
		awaited[op.Key] = p.awaited[op.Key] + 1
		soon = soon || awaited[op.Key] <= awaitedCycles
	}
	p.awaited = awaited
	return soon
}

// afterCycle returns the pause after a cycle.
func (p *pacer) afterCycle(busy bool) time.Duration {
	p.idleCycles++
	if busy {
		p.idleCycles = 0
	}
	d := min(minPause<<min(p.idleCycles, 6), maxPause)
	d = max(d, time.Duration(p.requests)*max(p.spacing, minSpacing))
	p.requests = 0
	return d
}

// resetRequests forgets the requests of the initial download: it happens once,
// and a new user must not wait hours for the next cycle.
func (p *pacer) resetRequests() { p.requests = 0 }

// afterError returns the pause after an error, in addition to the usual
// backoff.
func (p *pacer) afterError(err error) time.Duration {
	d := max(outbox.RetryAfter(err), time.Duration(p.requests)*p.spacing)
	p.requests = 0
	if !api.HasCode(err, api.PlanLimitExceeded) {
		return d
	}
	return max(d, quotaRecheck)
}

// setQuota sets the number of requests that the service permits a month, or 0 if
// unknown.
func (p *pacer) setQuota(requests int64) {
	if requests > 0 {
		p.spacing = month * readShare / time.Duration(requests)
	}
}

// requestLimit returns the monthly quota that an error reports, or 0 if it does
// not.
func requestLimit(err error) int64 {
	e := api.AsError(err)
	text, _ := e.Details["limit"].(string)
	n, _ := strconv.ParseInt(text, 10, 64)
	if e.Code != api.PlanLimitExceeded || e.Details["entitlementKey"] != "api_requests" || n < 0 {
		return 0
	}
	return n
}

// quotaRecheck is how often an exceeded quota is tried again.
const quotaRecheck = 15 * time.Minute

// RequestsName is the name of the file in the journal's folder with the
// monthly quota that the service reported when it was exceeded. Losing it is
// harmless: the service reports it again.
const RequestsName = "requests.month"

// monthlyRequests returns the number of requests a month for this node, or 0 if
// unknown: the lower of the configured and the reported number.
func (p *poll) monthlyRequests() int64 {
	text, err := journal.ReadFile(p.opts.Folder, RequestsName)
	if err != nil {
		return p.opts.Requests
	}
	known, _ := strconv.ParseInt(string(text), 10, 64)
	return minKnown(p.opts.Requests, known)
}

// minKnown returns the lower of two numbers of requests, of which 0 is
// unknown.
func minKnown(a, b int64) int64 {
	if a <= 0 || b > 0 && b < a {
		return max(0, b)
	}
	return a
}

// learnQuota takes the monthly quota that the service reported, and saves it
// for the next start.
func (p *poll) learnQuota(requests int64) {
	if requests <= 0 || requests == p.learnedQuota {
		return
	}
	p.learnedQuota = requests
	p.pace.setQuota(minKnown(p.opts.Requests, requests))
	if err := journal.ReplaceFile(p.opts.Folder, RequestsName, strconv.AppendInt(nil, requests, 10)); err != nil {
		p.Log.Warn("cannot save the service's monthly quota; learning it again", "error", err)
	}
}

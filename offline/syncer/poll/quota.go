package poll

import (
	"strconv"

	"bincard/offline/journal"
)

// RequestsName is the name of the file in the journal's folder with the
// monthly quota that the service reported when it was exceeded. Losing it is
// harmless: the service reports it again.
const RequestsName = "requests.month"

// monthlyRequests returns the number of requests a month for this node, 0 if
// unknown: the lower of the configured and the reported number.
func (p *Syncer) monthlyRequests() int64 {
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
func (p *Syncer) learnQuota(requests int64) {
	if requests <= 0 || requests == p.learnedQuota {
		return
	}
	p.learnedQuota = requests
	p.pace.setQuota(minKnown(p.opts.Requests, requests))
	if err := journal.ReplaceFile(p.opts.Folder, RequestsName, strconv.AppendInt(nil, requests, 10)); err != nil {
		p.Log.Warn("cannot save the service's monthly quota; learning it again", "error", err)
	}
}

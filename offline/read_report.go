package offline

import (
	"strings"

	"bincard/server/api"
)

// A lease is what the service answers about copies of the node's directory that are in use
// at the same time. Two copies would send equal work with equal keys and numbers, which the
// service takes for one, so neither sends anything until a person decides.
type lease struct {
	session api.ID   // of this run
	other   api.ID   // the last run of this node that the service named
	copies  []string // the labels of those that are in use; none if this is the only one
}

// addReport adds a report on this node to a read of the service's changes. mu is held.
func (p *puller) addReport(req *api.Request) {
	if req == nil || req.Spec != api.ListChanges.Spec || p.cfg.Label == "" {
		return
	}
	c := p.queue.CountsOf("")
	req.Node = &api.NodeReport{ID: p.queue.Header.Client, Label: p.cfg.Label, Kind: p.cfg.Kind, Version: p.cfg.Version,
		Pending: int64(c.Waiting), Failed: int64(c.Refused + c.Held), Oldest: timePtr(c.Oldest),
		Locations: p.here.codes(), ClockOffset: p.clockOffset().Milliseconds(),
		Session: p.lease.session, OtherSession: p.lease.other}
}

// update records the answer to a report of the node, if the node still has the reported id.
func (l *lease) update(report *api.NodeReport, res *api.Response, id api.ID) {
	out, ok := res.Output.(*api.Changes)
	if !ok || report == nil || report.ID != id {
		return
	}
	l.copies = out.Copies
	if out.OtherSession != api.NoID {
		l.other = out.OtherSession
	}
}

// trouble says what a person can do about a copy.
func (l *lease) trouble() string {
	return api.Textf(
		"This data directory is in use twice (%s), so nothing is sent. Stop using the copy, or acknowledge it to give this directory an id of its own.",
		strings.Join(l.copies, ", "),
	)
}

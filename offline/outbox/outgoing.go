package outbox

import (
	"slices"
	"strings"
	"time"

	"bincard/server/api"
)

// RemoteTarget replaces local ids in a target by the service's. If
// confirmedOnly, it replaces only the ids of documents that the replica
// contains; the others have their local ids here.
func (l *Log) RemoteTarget(target string, confirmedOnly bool) string {
	for _, op := range l.remoteNamed {
		if op.Confirmed || !confirmedOnly {
			target = strings.ReplaceAll(target, op.LocalID, op.RemoteID)
		}
	}

	return target
}

// Request returns the request of an operation with the ids of the local ledger if local is
// set, else with those of the service.
func (l *Log) Request(op *Operation, local bool) (*api.Request, error) {
	c := op.Capture
	c.Target = l.RemoteTarget(c.Target, local)
	return c.Request()
}

// Outgoing returns the request to send to the service for an operation. It says which
// node and device did the operation, and when.
func (l *Log) Outgoing(op *Operation, now time.Time) (*api.Request, error) {
	req, err := l.Request(op, false)
	if err != nil {
		return nil, err
	}

	origin := l.OriginOf(op)
	req.Client, req.ClientNumber, req.Device = origin.Client, int64(origin.Number), op.Device
	_, retried := api.People(op.By)
	Approve(req, retried)
	// The clock may have been wrong, and the service rejects times of more than a year ago.
	req.OccurredAt = op.occurredAt()
	if op.omitTime || req.OccurredAt.After(now) || req.OccurredAt.Before(now.Add(-maxAge)) {
		req.OccurredAt = time.Time{}
	}

	return req, nil
}

// maxAge is the greatest age of an operation whose request names the time it occurred.
const maxAge = 365 * 24 * time.Hour

// OriginOf returns the node and number that an operation is sent with.
func (l *Log) OriginOf(op *Operation) (origin Origin) {
	if op.Origin != nil {
		return *op.Origin
	}
	for _, h := range append(slices.Clip(l.former), l.Header) {
		if h != nil && h.ClientSince > 0 && op.Seq >= h.ClientSince {
			origin = Origin{h.Client, op.Seq}
		}
	}

	return origin
}

// IsRecordedAs reports whether a change of the service, which has the key of an
// operation, is that operation. Another node, a copy of this one, or the same node in other
// work may have used the key. A change without a client may be an operation that was sent:
// something between this node and the service may remove the client.
func (l *Log) IsRecordedAs(op *Operation, c *api.Change) bool {
	if c.Operation != op.SpecID || c.Client != nil && !l.isOriginOf(op, c) {
		return false
	}
	if c.Fingerprint == "" { // older services omit it
		return true
	}
	if c.Client == nil && (op.State == Pending && !op.maybeSent || op.isReused()) {
		return false // it was not sent, or the service said that the work is another program's
	}

	req, err := l.Request(op, false)
	if err != nil {
		return false
	}

	print, err := Fingerprint(req)

	return err == nil && print == c.Fingerprint
}

// isOriginOf reports whether a change comes from an operation's node and device, with its
// number and time. A copy of the node counts in step with it.
func (l *Log) isOriginOf(op *Operation, c *api.Change) bool {
	origin := l.OriginOf(op)
	return c.Client.ID == origin.Client && c.Client.Number == int64(origin.Number) && c.Device == op.Device &&
		(c.OccurredAt.IsZero() || c.OccurredAt.Equal(op.occurredAt()))
}

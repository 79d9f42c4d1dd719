package api

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
)

// NodeKind is the kind of program that a node runs in.
type NodeKind string

const (
	// NodeEdge is an edge, which serves the terminals of a site.
	NodeEdge NodeKind = "edge"
	// NodeTerminal is a terminal that works offline.
	NodeTerminal NodeKind = "terminal"
)

// Values lists the kinds of nodes.
func (NodeKind) Values() []string { return toStrings([]NodeKind{NodeEdge, NodeTerminal}) }

// A NodeReport is what a node says about itself when it reads the changes.
type NodeReport struct {
	// ID is the id of the node, the same as in its operations.
	ID ID `json:"id"`
	// Label names the node for people, such as by the name of its machine.
	Label string   `json:"label"`
	Kind  NodeKind `json:"kind"`
	// Version is the version of the program.
	Version string `json:"version"`
	// Pending is the number of operations not yet synced.
	Pending int64 `json:"pending"`
	// Failed is the number of operations that failed or need a decision.
	Failed int64 `json:"failed"`
	// Oldest is when the oldest operation not yet synced was done.
	Oldest *time.Time `json:"oldest,omitzero"`
	// Locations are the codes of the locations that the node is limited to; all if it
	// has none.
	Locations []string `json:"locations,omitzero"`
	// ClockOffset is how far the service's clock is ahead of the node's, in milliseconds,
	// as far as the node knows.
	ClockOffset int64 `json:"clockOffsetMs,omitzero"`
	// Session is a random id of this run of the node. Older nodes omit it.
	Session ID `json:"session,omitzero"`
	// OtherSession is the last otherSession of the changes that this run received, which shows
	// that this run was alive after the other one began.
	OtherSession ID `json:"otherSession,omitzero"`
}

// NodeReportHeader is the HTTP header with a NodeReport as JSON.
const NodeReportHeader = "Bincard-Node"

// ParseNodeReport parses the value of a NodeReportHeader. It ignores members that it does
// not know, which a newer node sends.
func ParseNodeReport(text string) (*NodeReport, error) {
	r := new(NodeReport)
	var p Problems
	if err := json.Unmarshal([]byte(text), r); err != nil {
		p.Add(NodeReportHeader, "header", "must be the report of a node as JSON")
		return nil, p.Err()
	}
	if err := r.Check(); err != nil {
		return nil, err
	}

	return r, nil
}

// Check returns an error unless the report is complete.
func (r *NodeReport) Check() error {
	var p Problems
	if r.ID == NoID {
		p.Add(NodeReportHeader+".id", "required", "is required")
	}
	for _, f := range []struct{ name, text string }{{"label", r.Label}, {"version", r.Version}, {"kind", string(r.Kind)}} {
		if !isLabel(f.text) {
			p.Add(NodeReportHeader+"."+f.name, "header", "must be 1 to 255 printable characters")
		}
	}

	if len(r.Locations) > MaxFilterLocations ||
		slices.ContainsFunc(r.Locations, func(code string) bool { return !isLabel(code) }) {
		p.Add(NodeReportHeader+".locations", "header", "must be up to %d codes of 1 to 255 printable characters",
			MaxFilterLocations)
	}

	if min(r.Pending, r.Failed) < 0 || max(r.Pending, r.Failed) > MaxQuantity {
		p.Add(NodeReportHeader, "minimum", "must have counts of 0 or more")
	}

	return p.Err()
}

// isLabel reports whether s is 1 to 255 printable characters.
func isLabel(s string) bool {
	unprintable := func(r rune) bool { return !unicode.IsPrint(r) }
	return s != "" && utf8.ValidString(s) && utf8.RuneCountInString(s) <= 255 && !strings.ContainsFunc(s, unprintable)
}

// A NodeStatus is the last report of a node, with when and how the service got it.
type NodeStatus struct {
	NodeReport
	// KeyID is the API key that the node reads with.
	KeyID ID `json:"keyId"`
	// KeyLabel is the label of that API key.
	KeyLabel string `json:"keyLabel"`
	// SeenAt is when the node last asked for changes. A node that is connected asks at
	// least every 25 seconds.
	SeenAt time.Time `json:"seenAt"`
	// Copies are the labels of all programs that run at the same time with the id of the
	// node, because its directory was copied; none if only one does.
	Copies []string `json:"copies,omitzero"`
}

// ListNodesInput pages through the nodes.
type ListNodesInput struct {
	Page
}

// ListNodes returns the edges and offline terminals that have read the changes since the
// service started, by label. Each process of a service knows those that read from it.
var ListNodes = operation[ListNodesInput, List[NodeStatus]](Spec{
	ID: "listNodes", Method: "GET", Path: "/nodes", Scope: Admin,
	ServiceOnly: true,
	Summary:     "List edges and offline terminals", Extension: true})

package offline

import "bincard/server/api"

// addReport adds a report on this node to a read of the service's changes. n.mu is held.
func (n *Node) addReport(req *api.Request) {
	if req == nil || req.Spec != api.ListChanges.Spec || n.cfg.Label == "" {
		return
	}
	c := n.queue.CountsOf("")
	req.Node = &api.NodeReport{ID: n.queue.Header.Client, Label: n.cfg.Label, Kind: n.cfg.Kind, Version: n.cfg.Version,
		Pending: int64(c.Waiting), Failed: int64(c.Refused + c.Held), Oldest: timePtr(c.Oldest), Locations: n.locationCodes(), ClockOffset: n.clockOffset().Milliseconds()}
}

package host

import (
	"context"
	"errors"

	"bincard/server/api"
)

// SetUpstream records that the service of an edge has another address, up.URL. No edge may
// run. The service there must accept the key for the same organization and environment,
// and have the history that the edge has read. It returns the address so far.
func SetUpstream(ctx context.Context, up Upstream) (before string, err error) {
	saved, ok := LoadAccess(up.Dir)
	if !ok {
		return "", errors.New(api.Textf("there is no edge in %s; set --data to an edge's directory, and start it once with a connection", up.Dir))
	}
	up.Organization, up.Environment = saved.Organization.ID, saved.Environment
	n, err := Open(ctx, Config{Dir: up.Dir, Access: saved, Clock: up.Clock})
	if err != nil {
		return "", err
	}
	before = n.ServiceURL()
	err = up.checkHistory(ctx, n)
	if err == nil && before != up.URL {
		err = n.SetServiceURL(up.URL)
	}
	return before, errors.Join(err, n.Close())
}

// checkHistory returns an error unless the service accepts the key and has the history
// that the node has read.
func (up *Upstream) checkHistory(ctx context.Context, n *Node) error {
	if _, err := up.askAccess(ctx); err != nil {
		return err
	}
	epoch, err := n.Epoch(ctx)
	if err != nil || epoch == "" {
		return err
	}
	able, err := up.capabilities(ctx)
	switch {
	case isUnsupported(err) || err == nil && able.Epoch != epoch:
		return errors.New(api.Textf("the service at %s has another history than the one that was read at %s. Nothing was changed: use the address of the same service",
			up.URL, n.ServiceURL()))
	}
	return err
}

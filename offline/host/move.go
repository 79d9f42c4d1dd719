package host

import (
	"context"
	"errors"

	"bincard/server/api"
)

// SetUpstream records that the service of an edge has another address, up.URL. No edge may
// run. The service there must accept the key for the same organization and environment,
// and, unless otherHistory is set, have the history that the edge has read. It returns the
// address so far.
func SetUpstream(ctx context.Context, up Upstream, otherHistory bool) (before string, err error) {
	saved, ok := LoadAccess(up.Dir)
	if !ok {
		return "", errors.New(
			api.Textf("there is no edge in %s; set --data to an edge's directory, and start it once with a connection",
				up.Dir),
		)
	}

	up.Organization, up.Environment = saved.Organization.ID, saved.Environment
	n, err := Open(ctx, Config{Dir: up.Dir, Access: saved, Clock: up.Clock})
	if err != nil {
		return "", err
	}

	before = n.ServiceURL()
	if _, err = up.askAccess(ctx); err == nil && !otherHistory {
		err = up.checkHistory(ctx, n)
	}
	if err == nil && before != up.URL {
		err = n.SetServiceURL(up.URL)
	}

	return before, errors.Join(err, n.Close())
}

// checkHistory returns an error unless the service has the history that the node has
// read: the same epoch, and the last change that the node has.
func (up *Upstream) checkHistory(ctx context.Context, n *Node) error {
	at, err := n.Position(ctx)
	if err != nil || at.Epoch == "" {
		return err
	}

	ctx, cancel := context.WithTimeout(ctx, AccessTimeout)
	defer cancel()
	able, err := api.GetCapabilities.Call(ctx, up.Service, api.CapabilitiesInput{})
	if err == nil && able.Epoch == at.Epoch {
		one := int64(1)
		_, err = api.ListChanges.Call(ctx, up.Service,
			api.ListChangesInput{After: &at.Seq, Limit: &one, Epoch: at.Epoch, Hash: at.Hash})
		if !isUnsupported(err) && !api.HasCode(err, api.ChangesGone) {
			return err
		}
	} else if err != nil && !isUnsupported(err) {
		return err
	}

	return errors.New(api.Textf(
		"the service at %s has different data from the service at %s. Nothing was changed: use the address of the same service, or --other-history to download its data and send again what it lacks",
		up.URL,
		n.ServiceURL(),
	))
}

package host

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/google/uuid"

	"bincard/offline/edge"
	"bincard/server/api"
	"bincard/server/local"
)

// Devices manages the device keys of an edge, in its process or from another one.
type Devices interface {
	Create(ctx context.Context, in edge.DeviceInput) (CreatedDevice, error)
	List(ctx context.Context) ([]edge.Device, error)
	Revoke(ctx context.Context, id api.ID) (edge.Device, error)
}

// A CreatedDevice is a new key with its secret.
type CreatedDevice struct {
	Secret string      `json:"secret"`
	Device edge.Device `json:"device"`
}

// WithDevices runs fn on the device keys in an edge's directory: through the edge
// if it runs, or else in this process. clock is this machine's.
func WithDevices(ctx context.Context, dir string, clock Clock, fn func(Devices) error) error {
	if Running(ctx, dir) {
		r := &remoteDevices{http.Client{Transport: local.Transport(dir)}}
		defer r.http.CloseIdleConnections()
		return fn(r)
	}

	access, ok := LoadAccess(dir)
	if !ok {
		return fmt.Errorf(
			"there is no edge in %s; set --data to an edge's directory, and start it once with a connection",
			dir,
		)
	}

	n, err := Open(ctx, Config{Dir: dir, Access: access, Clock: clock})
	if err != nil {
		return err
	}

	devices, err := edge.OpenDevices(dir, *n.caller.Load(), n.clock.Now)
	if err == nil {
		err = fn(&localDevices{devices, n})
	}

	return errors.Join(err, n.Close())
}

// A localDevices manages device keys in the process that has the directory open.
type localDevices struct {
	devices *edge.Devices
	node    *Node
}

// Create makes a key for the location that the input names by its code.
func (d *localDevices) Create(ctx context.Context, in edge.DeviceInput) (out CreatedDevice, err error) {
	var at *api.Place
	if in.Location != "" {
		if at, err = edge.FindLocation(ctx, d.node.Node, in.Location); err != nil {
			return out, err
		}

		if at == nil {
			return out, api.Fail(
				api.NotFound,
				nil,
				"There is no location %q here. New locations arrive with the next connection to the service.",
				in.Location,
			)
		}

		if here := d.node.Sync().Locations; len(here) > 0 && !slices.Contains(here, at.Code) {
			return out, api.Fail(
				api.LocationNotAllowed,
				api.Details{"locations": here},
				"This edge works only at %s.",
				strings.Join(here, ", "),
			)
		}
	}

	out.Secret, out.Device, err = d.devices.Create(in, at)

	return out, err
}

// List lists the keys.
func (d *localDevices) List(context.Context) ([]edge.Device, error) { return d.devices.List(), nil }

// Revoke ends a key.
func (d *localDevices) Revoke(_ context.Context, id api.ID) (edge.Device, error) {
	return d.devices.Revoke(id)
}

const devicesPath = adminPath + "devices"

// deviceHandler serves device key commands of other processes.
func deviceHandler(d *localDevices) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+devicesPath, local.Answer(func(r *http.Request, _ struct{}) ([]edge.Device, error) {
		return d.List(r.Context())
	}))
	mux.HandleFunc("POST "+devicesPath, local.Answer(func(r *http.Request, in edge.DeviceInput) (CreatedDevice, error) {
		return d.Create(r.Context(), in)
	}))
	mux.HandleFunc(
		"POST "+devicesPath+"/{id}/revoke",
		local.Answer(func(r *http.Request, _ struct{}) (edge.Device, error) {
			id, _ := uuid.Parse(r.PathValue("id")) // no device has the zero id
			return d.Revoke(r.Context(), id)
		}),
	)

	return mux
}

// A remoteDevices manages device keys through the running edge.
type remoteDevices struct{ http http.Client }

// Create makes a key.
func (r *remoteDevices) Create(ctx context.Context, in edge.DeviceInput) (CreatedDevice, error) {
	return callDevices[CreatedDevice](ctx, r, "POST", "", in)
}

// List lists the keys.
func (r *remoteDevices) List(ctx context.Context) ([]edge.Device, error) {
	return callDevices[[]edge.Device](ctx, r, "GET", "", nil)
}

// Revoke ends a key.
func (r *remoteDevices) Revoke(ctx context.Context, id api.ID) (edge.Device, error) {
	return callDevices[edge.Device](ctx, r, "POST", "/"+id.String()+"/revoke", nil)
}

func callDevices[O any](ctx context.Context, r *remoteDevices, method, path string, in any) (O, error) {
	out, err := local.Call[O](ctx, &r.http, method, devicesPath+path, in)
	if errors.Is(err, local.ErrOtherVersion) {
		err = errors.New(
			"the process holding this directory is not a compatible edge: set --data to an edge's directory")
	}
	return out, err
}

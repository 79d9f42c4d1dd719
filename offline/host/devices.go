package host

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"
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
		return fmt.Errorf("there is no edge in %s; set --data to an edge's directory, and start it once with a connection", dir)
	}
	n, err := Open(ctx, Config{Dir: dir, Access: access, Clock: clock})
	if err != nil {
		return err
	}
	devices, err := edge.OpenDevices(dir, n.caller, n.clock.Now)
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
			return out, api.Fail(api.NotFound, nil, "There is no location %q here. New locations arrive with the next connection to the service.", in.Location)
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

// deviceHandler serves device key commands of local programs.
func deviceHandler(d *localDevices) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+devicesPath, func(w http.ResponseWriter, r *http.Request) { writeResult(w)(d.List(r.Context())) })
	mux.HandleFunc("POST "+devicesPath, func(w http.ResponseWriter, r *http.Request) {
		var in edge.DeviceInput
		if err := json.UnmarshalRead(io.LimitReader(r.Body, 1<<20), &in); err != nil {
			writeResult(w)(nil, api.Fail(api.InvalidJSON, nil, "Cannot read the request: %v.", err))
			return
		}
		writeResult(w)(d.Create(r.Context(), in))
	})
	mux.HandleFunc("POST "+devicesPath+"/{id}/revoke", func(w http.ResponseWriter, r *http.Request) {
		id, _ := uuid.Parse(r.PathValue("id")) // no device has the zero id
		writeResult(w)(d.Revoke(r.Context(), id))
	})
	return mux
}

// writeResult writes an answer, or an error as its words.
func writeResult(w http.ResponseWriter) func(any, error) {
	return func(out any, err error) {
		if err != nil {
			e := api.AsError(err)
			w.WriteHeader(e.Code.Status())
			out = map[string]string{"code": string(e.Code), "message": message(err)}
		}
		_ = json.MarshalWrite(w, out) // an error means that the client is gone
	}
}

// message returns an error's message with its cause.
func message(err error) string {
	var e *api.Error
	if !errors.As(err, &e) {
		return err.Error()
	}
	if e.Err != nil {
		return fmt.Sprintf("%s (%v)", strings.TrimSuffix(e.Message, "."), e.Err)
	}
	return e.Message
}

// A remoteDevices manages device keys through the running edge.
type remoteDevices struct{ http http.Client }

func (f *remoteDevices) Create(ctx context.Context, in edge.DeviceInput) (out CreatedDevice, err error) {
	return out, f.call(ctx, "POST", "", in, &out)
}

func (f *remoteDevices) List(ctx context.Context) (out []edge.Device, err error) {
	return out, f.call(ctx, "GET", "", nil, &out)
}

func (f *remoteDevices) Revoke(ctx context.Context, id api.ID) (out edge.Device, err error) {
	return out, f.call(ctx, "POST", "/"+id.String()+"/revoke", nil, &out)
}

func (f *remoteDevices) call(ctx context.Context, method, path string, in, out any) error {
	var body bytes.Buffer
	if in != nil {
		if err := json.MarshalWrite(&body, in); err != nil {
			return err
		}
	}
	req, err := http.NewRequestWithContext(ctx, method, local.URL+devicesPath+path, &body)
	if err != nil {
		return err
	}
	res, err := f.http.Do(req)
	if err != nil {
		return fmt.Errorf("the edge stopped answering: %w", err)
	}
	defer res.Body.Close()
	if res.StatusCode == http.StatusOK {
		return json.UnmarshalRead(res.Body, out)
	}
	var why struct {
		Message string `json:"message"`
	}
	if err := json.UnmarshalRead(io.LimitReader(res.Body, 1<<20), &why); err != nil || why.Message == "" {
		return errors.New("the process holding this directory is not a compatible edge: set --data to an edge's directory")
	}
	return errors.New(why.Message)
}

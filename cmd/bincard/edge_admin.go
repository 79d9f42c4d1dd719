package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"bincard/offline/edge"
	"bincard/server/api"
)

// A deviceAdmin is where the keys of devices are managed: at the edge that runs,
// or in its directory.
type deviceAdmin interface {
	Create(ctx context.Context, in edge.DeviceInput) (createdDevice, error)
	List(ctx context.Context) ([]edge.Device, error)
	Revoke(ctx context.Context, id api.ID) (edge.Device, error)
}

// A createdDevice is a new key with its secret.
type createdDevice struct {
	Secret string      `json:"secret"`
	Device edge.Device `json:"device"`
}

// withEdge runs fn at the edge whose directory it is.
func withEdge(cmd *cobra.Command, dir string, fn func(context.Context, deviceAdmin) error) error {
	ctx := cmd.Context()
	if nodeRunning(ctx, dir) {
		far := &remoteDeviceAdmin{http.Client{Transport: nodeSocketTransport(dir)}}
		defer far.http.CloseIdleConnections()
		return fn(ctx, far)
	}
	access, ok := loadAccess(dir)
	if !ok {
		return fmt.Errorf("there is no edge in %s; set --data to an edge's directory, and start it once with a connection", dir)
	}
	w, err := openNode(ctx, config{}, dir, access, nullService{})
	if err != nil {
		return err
	}
	devices, err := edge.OpenDevices(dir, w.caller, w.clock.Now)
	if err == nil {
		err = fn(ctx, &localDeviceAdmin{devices, w})
	}
	return errors.Join(err, w.close())
}

// nullService is the service of a program that sends nothing.
type nullService struct{}

func (nullService) Do(context.Context, *api.Request) (*api.Response, error) {
	return nil, api.Fail(api.Unavailable, nil, "The service is not available here.")
}

// A localDeviceAdmin manages device keys in the process that has the directory open.
type localDeviceAdmin struct {
	devices *edge.Devices
	node    *nodeHandle
}

// Create makes a key for the location that the input names by its code.
func (d *localDeviceAdmin) Create(ctx context.Context, in edge.DeviceInput) (out createdDevice, err error) {
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
func (d *localDeviceAdmin) List(context.Context) ([]edge.Device, error) { return d.devices.List(), nil }

// Revoke ends a key.
func (d *localDeviceAdmin) Revoke(_ context.Context, id api.ID) (edge.Device, error) {
	return d.devices.Revoke(id)
}

const devicesPath = "/admin/devices"

// deviceAdminHandler serves device key commands of local programs.
func deviceAdminHandler(d *localDeviceAdmin) http.Handler {
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
		id, _ := uuid.Parse(r.PathValue("id")) // the zero one, which nothing has, where it is none
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
			out = map[string]string{"code": string(e.Code), "message": errorSentence(err)}
		}
		_ = json.MarshalWrite(w, out) // who asked is gone; there is nobody to tell
	}
}

// A remoteDeviceAdmin manages device keys through the running edge.
type remoteDeviceAdmin struct{ http http.Client }

func (f *remoteDeviceAdmin) Create(ctx context.Context, in edge.DeviceInput) (out createdDevice, err error) {
	return out, f.call(ctx, "POST", "", in, &out)
}

func (f *remoteDeviceAdmin) List(ctx context.Context) (out []edge.Device, err error) {
	return out, f.call(ctx, "GET", "", nil, &out)
}

func (f *remoteDeviceAdmin) Revoke(ctx context.Context, id api.ID) (out edge.Device, err error) {
	return out, f.call(ctx, "POST", "/"+id.String()+"/revoke", nil, &out)
}

func (f *remoteDeviceAdmin) call(ctx context.Context, method, path string, in, out any) error {
	var body bytes.Buffer
	if in != nil {
		if err := json.MarshalWrite(&body, in); err != nil {
			return err
		}
	}
	req, err := http.NewRequestWithContext(ctx, method, "http://owner"+devicesPath+path, &body)
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

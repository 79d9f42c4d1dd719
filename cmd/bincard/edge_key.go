package main

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
	"github.com/spf13/cobra"

	"bincard/offline/edge"
	"bincard/server/api"
)

// edgeKeyCommand manages the keys that an edge gives to the terminals of its site.
func edgeKeyCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "key", Short: "Manage the keys of the devices of a site",
		Long: `Manage the keys that an edge gives to the terminals of its site. They are the
edge's own: the service does not know them. It works beside an edge that runs, and
without one.`, Args: atMost(0)}
	cmd.AddCommand(edgeKeyCreateCommand(), edgeKeyListCommand(), edgeKeyRevokeCommand())
	return cmd
}

func edgeKeyCreateCommand() *cobra.Command {
	var dir, scopes string
	var in edge.DeviceInput
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "create --data DIR --location CODE --label LABEL",
		Short: "Make a key for a device and show it this once",
		Long: `Make a key for a device and show it this once. A device with a location may do its
work there alone, and sees and settles what it did itself; the far end of a
transfer is another location of course. One without is a supervisor's.`,
		Args: atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := need(cmd, "data", "label"); err != nil {
				return err
			}
			for _, s := range strings.Split(scopes, ",") {
				if s = strings.TrimSpace(s); s == "all" {
					in.Scopes = append(in.Scopes, api.Scopes...)
				} else {
					in.Scopes = append(in.Scopes, api.Scope(s))
				}
			}
			return withEdge(cmd, dir, func(ctx context.Context, at deviceDesk) error {
				made, err := at.Create(ctx, in)
				if err != nil {
					return err
				}
				return answer(cmd, asJSON, map[string]any{"key": made.Secret, "keyId": made.Device.ID},
					fmt.Sprintf("%s\nKeep it now: it is not shown again. Its id is %s.", made.Secret, made.Device.ID))
			})
		},
	}
	cmd.Flags().StringVar(&dir, "data", envOr("BINCARD_DATA", ""), "the directory of the edge")
	cmd.Flags().StringVar(&in.Location, "location", "", "the code of the only location where it may work; anywhere when omitted")
	cmd.Flags().StringVar(&in.Label, "label", "", "what the device is called; its work goes by that name")
	cmd.Flags().StringVar(&scopes, "scopes", "all", "all, or a list of "+strings.Join(api.Scope("").Values()[:len(api.Scopes)], ","))
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func edgeKeyListCommand() *cobra.Command {
	var dir string
	var asJSON bool
	cmd := &cobra.Command{Use: "list --data DIR", Short: "List the keys of devices, as far as they may be shown", Args: atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := need(cmd, "data"); err != nil {
				return err
			}
			return withEdge(cmd, dir, func(ctx context.Context, at deviceDesk) error {
				list, err := at.List(ctx)
				if err != nil {
					return err
				}
				var lines []string
				for i := range list {
					lines = append(lines, deviceWords(&list[i]))
				}
				if len(list) == 0 {
					list, lines = []edge.Device{}, []string{fmt.Sprintf("There is no key yet. Make one: bincard edge key create --data %s --location CODE --label LABEL", dir)}
				}
				return answer(cmd, asJSON, map[string]any{"items": list}, strings.Join(lines, "\n"))
			})
		}}
	cmd.Flags().StringVar(&dir, "data", envOr("BINCARD_DATA", ""), "the directory of the edge")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// deviceWords are a device's key in a line.
func deviceWords(d *edge.Device) string {
	const day = "2006-01-02"
	where := d.Location
	if where == "" {
		where = "anywhere"
	}
	words := fmt.Sprintf("%s  %s  %s  %s  made %s", d.ID, d.Hint, where, d.Label, d.CreatedAt.Format(day))
	if d.LastUsedAt != nil {
		words += ", used " + d.LastUsedAt.Format(day)
	}
	if d.RevokedAt != nil {
		words += ", revoked " + d.RevokedAt.Format(day)
	}
	scopes := make([]string, len(d.Scopes))
	for i, s := range d.Scopes {
		scopes[i] = string(s)
	}
	return words + "  " + strings.Join(scopes, ",")
}

func edgeKeyRevokeCommand() *cobra.Command {
	var dir string
	cmd := &cobra.Command{Use: "revoke KEYID --data DIR", Short: "End the key of a device at once", Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := need(cmd, "data"); err != nil {
				return err
			}
			if len(args) == 0 {
				return misuse("%s needs the id of a key, as 'bincard edge key list' tells it", cmd.CommandPath())
			}
			id, err := uuid.Parse(args[0])
			if err != nil {
				return misuse("a key is named by its id, as 'bincard edge key list' tells it, not by itself or %d characters", len(args[0]))
			}
			return withEdge(cmd, dir, func(ctx context.Context, at deviceDesk) error {
				d, err := at.Revoke(ctx, id)
				if err != nil {
					return err
				}
				return answer(cmd, false, nil, fmt.Sprintf("%s (%s) is revoked", d.Hint, d.Label))
			})
		}}
	cmd.Flags().StringVar(&dir, "data", envOr("BINCARD_DATA", ""), "the directory of the edge")
	return cmd
}

// A deviceDesk is where the keys of devices are managed: at the edge that runs,
// or in its directory.
type deviceDesk interface {
	Create(ctx context.Context, in edge.DeviceInput) (madeDevice, error)
	List(ctx context.Context) ([]edge.Device, error)
	Revoke(ctx context.Context, id api.ID) (edge.Device, error)
}

// A madeDevice is a new key with its secret.
type madeDevice struct {
	Secret string      `json:"secret"`
	Device edge.Device `json:"device"`
}

// withEdge runs fn at the edge whose directory it is.
func withEdge(cmd *cobra.Command, dir string, fn func(context.Context, deviceDesk) error) error {
	ctx := cmd.Context()
	if kept(ctx, dir) {
		far := &farDesk{http.Client{Transport: counterTransport(dir)}}
		defer far.http.CloseIdleConnections()
		return fn(ctx, far)
	}
	access, ok := keptAccess(dir)
	if !ok {
		return fmt.Errorf("there is no edge in %s; name the directory of one with --data, and start it once with a connection", dir)
	}
	w, err := openNode(ctx, config{}, dir, access, nobody{})
	if err != nil {
		return err
	}
	devices, err := edge.OpenDevices(dir, w.caller)
	if err == nil {
		err = fn(ctx, &edgeDesk{devices, w})
	}
	return errors.Join(err, w.end())
}

// nobody is the service of a program that sends nothing.
type nobody struct{}

func (nobody) Do(context.Context, *api.Request) (*api.Response, error) {
	return nil, api.Fail(api.Unavailable, nil, "Nobody asks the service here.")
}

// An edgeDesk is the desk of the process that has the directory.
type edgeDesk struct {
	devices *edge.Devices
	node    *worknode
}

// Create makes a key for the location that the input names by its code.
func (d *edgeDesk) Create(ctx context.Context, in edge.DeviceInput) (out madeDevice, err error) {
	var at *api.Place
	if in.Location != "" {
		if at, err = edge.Place(ctx, d.node.Node, in.Location); err != nil {
			return out, err
		}
		if at == nil {
			return out, api.Fail(api.NotFound, nil, "There is no location %q here. One that was just made at the service comes with the next connection.", in.Location)
		}
	}
	out.Secret, out.Device, err = d.devices.Create(in, at)
	return out, err
}

// List lists the keys.
func (d *edgeDesk) List(context.Context) ([]edge.Device, error) { return d.devices.List(), nil }

// Revoke ends a key.
func (d *edgeDesk) Revoke(_ context.Context, id api.ID) (edge.Device, error) {
	return d.devices.Revoke(id)
}

const devicesPath = "/admin/devices"

// adminOf answers the commands of this machine for a desk.
func adminOf(d *edgeDesk) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+devicesPath, func(w http.ResponseWriter, r *http.Request) { told(w)(d.List(r.Context())) })
	mux.HandleFunc("POST "+devicesPath, func(w http.ResponseWriter, r *http.Request) {
		var in edge.DeviceInput
		if err := json.UnmarshalRead(io.LimitReader(r.Body, 1<<20), &in); err != nil {
			told(w)(nil, api.Fail(api.InvalidJSON, nil, "The request cannot be read: %v.", err))
			return
		}
		told(w)(d.Create(r.Context(), in))
	})
	mux.HandleFunc("POST "+devicesPath+"/{id}/revoke", func(w http.ResponseWriter, r *http.Request) {
		id, _ := uuid.Parse(r.PathValue("id")) // the zero one, which nothing has, where it is none
		told(w)(d.Revoke(r.Context(), id))
	})
	return mux
}

// told writes an answer, or an error as its words.
func told(w http.ResponseWriter) func(any, error) {
	return func(out any, err error) {
		if err != nil {
			e := api.AsError(err)
			w.WriteHeader(e.Code.Status())
			out = map[string]string{"code": string(e.Code), "message": sentence(err)}
		}
		_ = json.MarshalWrite(w, out) // who asked is gone; there is nobody to tell
	}
}

// A farDesk is the desk of the edge that runs.
type farDesk struct{ http http.Client }

func (f *farDesk) Create(ctx context.Context, in edge.DeviceInput) (out madeDevice, err error) {
	return out, f.call(ctx, "POST", "", in, &out)
}

func (f *farDesk) List(ctx context.Context) (out []edge.Device, err error) {
	return out, f.call(ctx, "GET", "", nil, &out)
}

func (f *farDesk) Revoke(ctx context.Context, id api.ID) (out edge.Device, err error) {
	return out, f.call(ctx, "POST", "/"+id.String()+"/revoke", nil, &out)
}

func (f *farDesk) call(ctx context.Context, method, path string, in, out any) error {
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
		return errors.New("what has the directory open is no edge of this version: name the directory of an edge")
	}
	return errors.New(why.Message)
}

package host

import (
	"context"
	"net/http"
	"time"

	"bincard/apiclient"
	"bincard/server/api"
	"bincard/server/httpapi"
	"bincard/server/local"
)

// adminPath is where an owner serves more than the API.
const adminPath = "/admin/"

// Running reports whether a process serves the node in a directory.
func Running(ctx context.Context, dir string) bool { return local.Running(ctx, dir) }

// Serve serves svc, which is in front of the node, to the other processes of this
// machine until the node is closed. They need no key, and act as the node's own
// caller. admin is served below /admin/; it may be nil.
func (h *Node) Serve(svc api.Service, admin http.Handler) {
	log := local.QuietLogger(h.log)
	mux := http.NewServeMux()
	if admin != nil {
		mux.Handle(adminPath, admin)
	}

	mux.Handle("/", httpapi.New(httpapi.Config{
		Service:         svc,
		Extra:           api.NodeOperations(),
		AllowAcceptRisk: true,
		Processors:      -1,
		Rate:            -1,
		Now:             h.clock.Now,
		Logger:          log,
		Authenticate:    func(context.Context, string) (*api.Caller, error) { return h.caller.Load(), nil },
	}))

	h.onClose(local.Serve(context.Background(), h.dir, mux, log))
}

// dial returns the client of the process that serves the node in a directory. It
// connects with each request, so the process may change.
func (o *Options) dial() (*apiclient.Client, error) {
	return apiclient.New(apiclient.Config{
		URL:          local.URL,
		Key:          "-",
		Organization: o.Organization.String(),
		AllowPlain:   true, // it is a local socket
		Timeout:      30 * time.Second,
		UserAgent:    o.UserAgent,
		Now:          o.Now,
		Transport:    local.Transport(o.Dir),
	})
}

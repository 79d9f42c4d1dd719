package connect

import (
	"context"
	"net/http"
	"sync"

	"bincard/server"
	"bincard/server/admin"
	"bincard/server/api"
	"bincard/server/httpapi"
	"bincard/server/local"
)

// An owner is the process that has the directory open, and serves the ledger and its
// administration to the others.
type owner struct {
	server *server.Server
	stop   func()
}

// own opens the directory and serves it.
func (o *SharedOptions) own() (*owner, error) {
	if err := local.CheckDrive(o.Dir); err != nil {
		return nil, err
	}

	s, err := server.Open(o.Config)
	if err != nil {
		return nil, err
	}

	log := local.QuietLogger(o.Logger)
	direct := admin.NewDirectAdmin(s, o.Dir, o.Verifier, log)
	administration, cancel := admin.Handler(direct, func() admin.Owner { return admin.Owner{Shared: true} })
	mux := http.NewServeMux()
	mux.Handle(admin.Path, administration)
	mux.Handle("/", httpapi.New(httpapi.Config{Service: s.Ledger, Rate: -1, Now: s.Now, Logger: log,
		Authenticate: func(_ context.Context, secret string) (*api.Caller, error) { return callerOf(secret) }}))
	stop := local.Serve(context.Background(), o.Dir, mux, log)

	return &owner{s, sync.OnceFunc(func() { cancel(); stop() })}, nil
}

// Close finishes the requests in progress and releases the directory.
func (o *owner) Close() error {
	o.stop()
	return o.server.Close()
}

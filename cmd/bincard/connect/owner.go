package connect

import (
	"context"
	"encoding/base64"
	"errors"
	"net/http"
	"slices"
	"sync"

	"github.com/go-json-experiment/json"

	"bincard/server"
	"bincard/server/admin"
	"bincard/server/api"
	"bincard/server/httpapi"
	"bincard/server/local"
)

// A Person is an operator who works on a ledger of this machine. Whoever can open the
// directory may do everything in it.
type Person struct {
	Organization api.ID          `json:"organization"`
	Environment  api.Environment `json:"environment"`
	Name         string          `json:"name"`
}

// maxSecret is the maximum length of a key in a request.
const maxSecret = 512

// secret returns the person as the key of requests to the owner.
func (p Person) secret() (string, error) {
	text, err := json.Marshal(p)
	if err != nil {
		return "", err
	}

	secret := base64.RawURLEncoding.EncodeToString(text)
	if len(secret) > maxSecret {
		return "", errors.New(api.Textf("the operator's name is too long"))
	}

	return secret, nil
}

// callerOf returns the caller of a request to the owner.
func callerOf(secret string) (*api.Caller, error) {
	var p Person
	text, err := base64.RawURLEncoding.DecodeString(secret)
	if err == nil {
		err = json.Unmarshal(text, &p)
	}
	if err != nil || p.Environment != api.Live && p.Environment != api.Test {
		return nil, api.Fail(api.Unauthorized, nil,
			"The process that has the directory open is another version. Stop it, or use its version.")
	}

	return p.caller(), nil
}

func (p Person) caller() *api.Caller {
	return &api.Caller{
		Organization: p.Organization,
		Environment:  p.Environment,
		Scopes:       append(slices.Clone(api.Scopes), api.Admin),
		Actor:        api.Actor{Type: api.User, Label: p.Name},
	}
}

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

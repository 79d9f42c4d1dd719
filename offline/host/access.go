package host

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/go-json-experiment/json"

	"bincard/server/api"
)

// accessFile holds the key's last known access, for a start without a connection. It
// does not contain the key.
const accessFile = "access.json"

// AccessTimeout is how long the start waits for the service to describe the key.
const AccessTimeout = 3 * time.Second

// resolveAccess returns the key's access from the service, or else the saved one.
// missing is why the service did not answer.
func (up *Upstream) resolveAccess(ctx context.Context) (access api.Access, missing, err error) {
	svc, dir, org, env := up.Service, up.Dir, up.Organization, up.Environment
	ctx, cancel := context.WithTimeout(ctx, AccessTimeout)
	defer cancel()
	access, missing = api.GetAccess.Call(ctx, svc, api.GetAccessInput{})
	if missing == nil {
		if access.Organization.ID != org || access.Environment != env {
			return access, nil, errors.New(api.Textf("the key belongs to organization %s (%s), not %s (%s): use the matching key",
				access.Organization.Name, access.Environment, org, env))
		}
		return access, nil, saveAccess(dir, access)
	}
	stranger := api.Access{Organization: api.Organization{ID: org}, Environment: env, Scopes: api.Scopes,
		Actor: api.Actor{Type: api.APIKey, Label: "this terminal"}}
	if isUnsupported(missing) { // or it is the organization that is not there
		one := int64(1)
		_, err := api.ListInbounds.Call(ctx, svc, api.ListInboundsInput{Page: api.Page{Limit: &one}})
		if err == nil {
			return stranger, missing, saveAccess(dir, stranger)
		}
		switch {
		case api.ForeignAnswerOf(err) != nil: // the service said nothing yet
			missing = api.Fail(api.Unavailable, nil, "%v", api.AsError(err).Message)
		case !isUnsupported(err):
			return stranger, missing, nil
		}
	}
	if isUnsupported(missing) || api.HasCode(missing, api.Unauthorized) {
		return access, nil, errors.New(api.Textf("the service rejected this key for organization %s: use the matching key (%v)", org, api.AsError(missing).Message))
	}
	if access, ok := LoadAccess(dir); ok {
		return access, missing, nil
	}
	return stranger, missing, nil
}

// saveAccess saves the key's access for a start without a connection.
func saveAccess(dir string, access api.Access) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("cannot create the directory %s: %w", dir, err)
	}
	text, err := json.Marshal(access)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".access-*") // with 0600
	if err != nil {
		return fmt.Errorf("cannot save the key's access: %w", err)
	}
	defer os.Remove(f.Name())
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), filepath.Join(dir, accessFile))
	}
	if err != nil {
		return fmt.Errorf("cannot save the key's access: %w", err)
	}
	return nil
}

// LoadAccess returns the saved access of the key of a node.
func LoadAccess(dir string) (access api.Access, ok bool) {
	text, err := os.ReadFile(filepath.Join(dir, accessFile))
	ok = err == nil && json.Unmarshal(text, &access) == nil
	return access, ok
}

// isUnsupported reports whether the service does not support the request.
func isUnsupported(err error) bool {
	if f := api.ForeignAnswerOf(err); f != nil {
		return f.NoRoute()
	}
	return api.HasCode(err, api.NotFound) || api.HasCode(err, api.NotImplemented) || api.HasCode(err, api.MethodNotAllowed)
}

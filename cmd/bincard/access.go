package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/go-json-experiment/json"

	"bincard/server/api"
)

// accessFile holds the key's last known access, for a start without a connection. It
// does not contain the key.
const accessFile = "access.json"

// accessTimeout is how long the start waits for the service to describe the key.
const accessTimeout = 3 * time.Second

// resolveAccess returns the key's access from the service, or else the saved one.
// missing is why the service did not answer.
func resolveAccess(ctx context.Context, svc api.Service, dir string, org api.ID, env api.Environment) (access api.Access, missing, err error) {
	ctx, cancel := context.WithTimeout(ctx, accessTimeout)
	defer cancel()
	access, missing = api.GetAccess.Call(ctx, svc, api.GetAccessInput{})
	if missing == nil {
		if access.Organization.ID != org || access.Environment != env {
			return access, nil, fmt.Errorf("the key belongs to organization %s (%s), not %s (%s): use the matching key",
				access.Organization.Name, access.Environment, org, env)
		}
		return access, nil, saveAccess(dir, access)
	}
	stranger := api.Access{Organization: api.Organization{ID: org}, Environment: env, Scopes: api.Scopes,
		Actor: api.Actor{Type: api.APIKey, Label: "this terminal"}}
	if isUnsupported(missing) { // or it is the organization that is not there
		one := int64(1)
		_, err := api.ListInbounds.Call(ctx, svc, api.ListInboundsInput{Limit: &one})
		if err == nil {
			return stranger, missing, saveAccess(dir, stranger)
		}
		if !isUnsupported(err) {
			return stranger, missing, nil
		}
	}
	if isUnsupported(missing) || api.HasCode(missing, api.Unauthorized) {
		return access, nil, fmt.Errorf("the service rejected this key for organization %s: use the matching key (%s)", org, api.AsError(missing).Message)
	}
	if access, ok := loadAccess(dir); ok {
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
	return writeFileAtomic(filepath.Join(dir, accessFile), 0o600, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// resolveEnvironment finds the environment of a key that does not name it: from the
// settings, or else from the service's answers.
func resolveEnvironment(ctx context.Context, cfg config, svc api.Service) (api.Environment, error) {
	switch env := api.Environment(cfg.Environment); env {
	case api.Live, api.Test:
		return env, nil
	}
	ctx, cancel := context.WithTimeout(ctx, accessTimeout)
	defer cancel()
	one := int64(1)
	list, err := api.ListInbounds.Call(ctx, svc, api.ListInboundsInput{Limit: &one})
	if err == nil && len(list.Items) > 0 && list.Items[0].Environment != "" {
		return list.Items[0].Environment, nil
	}
	return "", usageErrorf("the key does not name its environment; set it with --env live or --env test")
}

// loadAccess returns the saved access of the key.
func loadAccess(dir string) (access api.Access, ok bool) {
	text, err := os.ReadFile(filepath.Join(dir, accessFile))
	ok = err == nil && json.Unmarshal(text, &access) == nil
	return access, ok
}

// capabilities returns the service's capabilities.
func capabilities(ctx context.Context, svc api.Service) (api.Capabilities, error) {
	ctx, cancel := context.WithTimeout(ctx, accessTimeout)
	defer cancel()
	return api.GetCapabilities.Call(ctx, svc, api.CapabilitiesInput{})
}

// isUnsupported reports whether the service does not support the request.
func isUnsupported(err error) bool {
	return api.HasCode(err, api.NotFound) || api.HasCode(err, api.NotImplemented) || api.HasCode(err, api.MethodNotAllowed)
}

package host

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/go-json-experiment/json"

	"bincard/offline/journal"
	"bincard/server/api"
)

// accessFile holds the key's last known access, for a start from disk. It does not
// contain the key.
const accessFile = "access.json"

// AccessTimeout is how long the service may take to describe the key.
const AccessTimeout = 3 * time.Second

// startAccess returns the access to start with: the saved one if there is data from
// the service too, or else what the service says. missing is why it did not answer.
func (up *Upstream) startAccess(ctx context.Context) (access api.Access, missing, err error) {
	saved, ok := LoadAccess(up.Dir)
	ok = ok && up.owns(&saved)
	if ok && hasReplica(up.Dir) {
		return saved, nil, nil
	}

	access, err = up.askAccess(ctx)
	switch {
	case err == nil:
		return access, nil, saveAccess(up.Dir, access)
	case !api.HasCode(err, api.Unavailable):
		return access, nil, err
	case ok:
		return saved, err, nil
	}

	return up.unknownAccess(), err, nil
}

// askAccess returns what the service says about the key. The error is UNAUTHORIZED if
// the service rejects the key or the key is not one of the node's organization and
// environment, else UNAVAILABLE.
func (up *Upstream) askAccess(ctx context.Context) (api.Access, error) {
	ctx, cancel := context.WithTimeout(ctx, AccessTimeout)
	defer cancel()
	access, err := api.GetAccess.Call(ctx, up.Service, api.GetAccessInput{})
	if err == nil {
		if !up.owns(&access) {
			return access, api.Fail(api.Unauthorized, nil,
				"The key belongs to organization %s (%s), not %s (%s): use the matching key.", access.Organization.Name,
				string(access.Environment), up.Organization.String(), string(up.Environment))
		}

		return access, nil
	}

	if isUnsupported(err) { // or it is the organization that is not there
		one := int64(1)
		var list api.List[api.Inbound]
		list, err = api.ListInbounds.Call(ctx, up.Service, api.ListInboundsInput{Page: api.Page{Limit: &one}})
		if err == nil {
			for _, x := range list.Items {
				if x.Environment != "" && x.Environment != up.Environment {
					return api.Access{}, api.Fail(api.Unauthorized, nil,
						"The key is one of %s, not %s: use the matching key.", string(x.Environment),
						string(up.Environment))
				}
			}

			return up.unknownAccess(), nil
		}
	}

	e := api.AsError(err)
	if e.Details["outcome"] == nil && (e.Code == api.Unauthorized || api.IsWrongOrganization(e)) {
		return access, &api.Error{
			Code:      api.Unauthorized,
			RequestID: e.RequestID,
			Err:       e.Err,
			Message: api.Textf("The service rejected this key for organization %s: use the matching key (%v)",
				up.Organization.String(), e.Message),
		}
	}

	if e.Code != api.Unavailable { // a page of something in between, or a failure of the service
		e = &api.Error{Code: api.Unavailable, Message: e.Message, RequestID: e.RequestID, Err: e.Err}
	}

	return access, e
}

// owns reports whether an access is of the node's organization and environment.
func (up *Upstream) owns(access *api.Access) bool {
	return access.Organization.ID == up.Organization && access.Environment == up.Environment
}

// unknownAccess is the access of a key that the service does not describe.
func (up *Upstream) unknownAccess() api.Access {
	return api.Access{
		Organization: api.Organization{ID: up.Organization},
		Environment:  up.Environment,
		Scopes:       api.Scopes,
		Actor:        api.Actor{Type: api.APIKey, Label: "this terminal"},
	}
}

// isDescribed reports whether the service has described the key.
func isDescribed(access *api.Access) bool { return access.Organization.Name != "" }

// saveAccess saves the key's access for a start from disk.
func saveAccess(dir string, access api.Access) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("cannot create the directory %s: %w", dir, err)
	}

	text, err := json.Marshal(access)
	if err != nil {
		return err
	}
	if err := journal.ReplaceFile(journal.Dir(dir), accessFile, text); err != nil {
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
	return api.HasCode(err, api.NotFound) || api.HasCode(err, api.NotImplemented) ||
		api.HasCode(err, api.MethodNotAllowed)
}

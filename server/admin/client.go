package admin

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"strconv"

	"github.com/go-json-experiment/json"

	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/archive"
	"bincard/server/ledger/audit"
	"bincard/server/local"
)

// A Client is an Admin in another process than the one that has the directory
// open.
type Client struct{ http http.Client }

var _ Admin = (*Client)(nil)

// NewClient returns the client of the process that has a directory open. Each
// request connects, so the process may change.
func NewClient(dir string) *Client {
	return &Client{http.Client{Transport: local.Transport(dir)}}
}

// Close closes the idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// call makes a request and decodes the answer.
func call[O any](ctx context.Context, c *Client, method, path string, body any) (O, error) {
	return local.Call[O](ctx, &c.http, method, "/admin/"+path, body)
}

// Owner describes the process that has the directory open. The error is
// local.ErrOtherVersion if that process is of a version that cannot tell.
func (c *Client) Owner(ctx context.Context) (Owner, error) {
	return call[Owner](ctx, c, "GET", "owner", nil)
}

// Organizations lists the organizations.
func (c *Client) Organizations(ctx context.Context) ([]api.Organization, error) {
	return call[[]api.Organization](ctx, c, "GET", "organizations", nil)
}

// CreateOrganization creates an organization.
func (c *Client) CreateOrganization(ctx context.Context, name string) (api.Organization, error) {
	return call[api.Organization](ctx, c, "POST", "organizations", name)
}

// Keys lists the keys of an organization.
func (c *Client) Keys(ctx context.Context, organization api.ID) ([]account.APIKey, error) {
	return call[[]account.APIKey](ctx, c, "GET", "organizations/"+organization.String()+"/keys", nil)
}

// CreateKey creates a key.
func (c *Client) CreateKey(ctx context.Context, in account.KeyInput) (string, account.APIKey, error) {
	created, err := call[createdKey](ctx, c, "POST", "keys", in)
	if err == nil && in.Location != "" && created.Key.Location == "" {
		_, err = c.RevokeKey(ctx, in.Organization, created.Key.ID, false)
		err = errors.Join(err, errors.New(
			"the service is of an earlier version, which has no keys for one location, so the new key is revoked; restart it, then repeat the command",
		))
	}

	return created.Secret, created.Key, err
}

// RevokeKey revokes a key.
func (c *Client) RevokeKey(ctx context.Context, organization, id api.ID, descendants bool) (account.Revocation, error) {
	revoked, err := call[account.Revocation](
		ctx,
		c,
		"POST",
		"organizations/"+organization.String()+"/keys/"+id.String()+"/revoke",
		revocation{descendants},
	)
	if err == nil && revoked.Remaining == nil && descendants {
		err = errors.New(
			"the service is of an earlier version, which revoked only this key; restart it, then repeat the command")
	}

	return revoked, err
}

// SetPlan sets the limits of an organization.
func (c *Client) SetPlan(
	ctx context.Context,
	organization api.ID,
	env api.Environment,
	limits api.Limits,
) (api.Plan, error) {
	return call[api.Plan](ctx, c, "POST", "organizations/"+organization.String()+"/plans/"+string(env), limits)
}

// Rules returns the rules of an organization.
func (c *Client) Rules(ctx context.Context, organization api.ID, env api.Environment) (api.Rules, error) {
	return call[api.Rules](ctx, c, "GET", rulesPath(organization, env), nil)
}

// SetRules sets the rules of an organization.
func (c *Client) SetRules(
	ctx context.Context,
	organization api.ID,
	env api.Environment,
	in api.Rules,
) (api.Rules, error) {
	return call[api.Rules](ctx, c, "POST", rulesPath(organization, env), in)
}

func rulesPath(organization api.ID, env api.Environment) string {
	return "organizations/" + organization.String() + "/rules/" + string(env)
}

// Backup receives a backup and checks its digest.
func (c *Client) Backup(ctx context.Context, w io.Writer, progress archive.ProgressFunc) error {
	progress.Report(archive.Copying, 0, 0)
	res, err := local.Send(ctx, &c.http, "GET", "/admin/backup", nil)
	if err != nil {
		return err
	}

	defer res.Body.Close()
	size, _ := strconv.ParseInt(res.Header.Get(sizeHeader), 10, 64)
	sum := sha256.New()
	_, err = io.Copy(&archive.ProgressWriter{Context: ctx, To: io.MultiWriter(w, sum), Total: size, Progress: progress},
		res.Body)
	if err != nil {
		return local.Disconnected(ctx, err)
	}

	if text := res.Trailer.Get(failTrailer); text != "" {
		var f failure
		if err := json.Unmarshal([]byte(text), &f); err != nil {
			return local.Disconnected(ctx, err)
		}
		return f.err()
	}

	if got := hex.EncodeToString(sum.Sum(nil)); got != res.Trailer.Get(sumTrailer) {
		return errors.New("the data was corrupted in transit; try again")
	}

	return nil
}

// HeadsAt returns the journal entries with a sequence number.
func (c *Client) HeadsAt(ctx context.Context, seq int64) ([]audit.Head, error) {
	return call[[]audit.Head](ctx, c, "GET", "heads/"+strconv.FormatInt(seq, 10), nil)
}

// Verify verifies a copy of the ledger, including its pages.
func (c *Client) Verify(ctx context.Context, _ bool, progress archive.ProgressFunc) (*audit.Result, error) {
	res, err := local.Send(ctx, &c.http, "POST", "/admin/verify", nil)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	return ReadProgress(ctx, res.Body, progress)
}

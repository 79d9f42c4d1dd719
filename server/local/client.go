package local

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"

	"github.com/go-json-experiment/json"

	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/archive"
	"bincard/server/ledger/audit"
)

// A Client is an Admin in another process than the one that has the directory
// open.
type Client struct{ http http.Client }

var _ Admin = (*Client)(nil)

// Dial connects to the process that has a directory open. The error is
// ErrNotRunning if there is none.
func Dial(ctx context.Context, dir string) (*Client, error) {
	first, err := dial(ctx, dir)
	if err != nil {
		return nil, err
	}
	_ = first.Close() // only a test; each request dials
	c := &Client{}
	c.http.Transport = &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return dial(ctx, dir) }}
	return c, nil
}

// Close closes the idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// send makes a request and returns its answer unless it failed.
func (c *Client) send(ctx context.Context, method, path string, body any) (*http.Response, error) {
	var buf bytes.Buffer
	if body != nil {
		if err := json.MarshalWrite(&buf, body); err != nil {
			return nil, err
		}
	}
	req, err := http.NewRequestWithContext(ctx, method, "http://owner/admin/"+path, &buf)
	if err != nil {
		return nil, err
	}
	res, err := c.http.Do(req)
	if err != nil {
		return nil, contextError(ctx, err)
	}
	if res.StatusCode == http.StatusOK {
		return res, nil
	}
	defer res.Body.Close()
	var f failure
	if err := json.UnmarshalRead(io.LimitReader(res.Body, 1<<20), &f); err != nil || f.Code == "" {
		return nil, errors.New("the process that has the directory open is another version and cannot do this. Stop it, or use its version")
	}
	return nil, f.err()
}

// contextError explains an error, unless ctx ended.
func contextError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return fmt.Errorf("the process that has the directory open stopped answering: %w", err)
}

// call makes a request and decodes the answer.
func call[O any](ctx context.Context, c *Client, method, path string, body any) (out O, err error) {
	res, err := c.send(ctx, method, path, body)
	if err != nil {
		return out, err
	}
	defer res.Body.Close()
	if err := json.UnmarshalRead(res.Body, &out); err != nil {
		return out, contextError(ctx, err)
	}
	return out, nil
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
	return created.Secret, created.Key, err
}

// RevokeKey revokes a key.
func (c *Client) RevokeKey(ctx context.Context, organization, id api.ID) (account.APIKey, error) {
	return call[account.APIKey](ctx, c, "POST", "organizations/"+organization.String()+"/keys/"+id.String()+"/revoke", nil)
}

// SetPlan sets the limits of an organization.
func (c *Client) SetPlan(ctx context.Context, organization api.ID, env api.Environment, limits api.Limits) (api.Plan, error) {
	return call[api.Plan](ctx, c, "POST", "organizations/"+organization.String()+"/plans/"+string(env), limits)
}

// Rules returns the rules of an organization.
func (c *Client) Rules(ctx context.Context, organization api.ID, env api.Environment) (api.Rules, error) {
	return call[api.Rules](ctx, c, "GET", rulesPath(organization, env), nil)
}

// SetRules sets the rules of an organization.
func (c *Client) SetRules(ctx context.Context, organization api.ID, env api.Environment, in api.Rules) (api.Rules, error) {
	return call[api.Rules](ctx, c, "POST", rulesPath(organization, env), in)
}

func rulesPath(organization api.ID, env api.Environment) string {
	return "organizations/" + organization.String() + "/rules/" + string(env)
}

// Backup receives a backup and checks its digest.
func (c *Client) Backup(ctx context.Context, w io.Writer, progress archive.ProgressFunc) error {
	progress.Report(archive.Copying, 0, 0)
	res, err := c.send(ctx, "GET", "backup", nil)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	size, _ := strconv.ParseInt(res.Header.Get(sizeHeader), 10, 64)
	sum := sha256.New()
	_, err = io.Copy(&archive.ProgressWriter{Context: ctx, To: io.MultiWriter(w, sum), Total: size, Progress: progress}, res.Body)
	if err != nil {
		return contextError(ctx, err)
	}
	if text := res.Trailer.Get(failTrailer); text != "" {
		var f failure
		if err := json.Unmarshal([]byte(text), &f); err != nil {
			return contextError(ctx, err)
		}
		return f.err()
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != res.Trailer.Get(sumTrailer) {
		return errors.New("the data was corrupted in transit; try again")
	}
	return nil
}

// Verify verifies a copy of the ledger, including its pages.
func (c *Client) Verify(ctx context.Context, _ bool, progress archive.ProgressFunc) (*audit.Result, error) {
	res, err := c.send(ctx, "POST", "verify", nil)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	return ReadProgress(ctx, res.Body, progress)
}

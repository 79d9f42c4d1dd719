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

	"bincard/server/api"
	"bincard/server/archive"
	"bincard/server/ledger"
)

// A Client asks the process that has a directory open.
type Client struct{ http http.Client }

var _ Admin = (*Client)(nil)

// Dial reaches the process that has a directory open. The error is ErrNobody
// where none answers.
func Dial(ctx context.Context, dir string) (*Client, error) {
	first, err := dial(ctx, dir)
	if err != nil {
		return nil, err
	}
	_ = first.Close() // it answers; each request dials for itself
	c := &Client{}
	c.http.Transport = &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return dial(ctx, dir) }}
	return c, nil
}

// Close gives up the idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// send makes a request; what comes back is an answer, and no failure.
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

// contextError is an error as words, where the context did not end.
func contextError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return fmt.Errorf("the process that has the directory open stopped answering: %w", err)
}

// call asks for an answer in one piece.
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

// Organizations asks for the organizations.
func (c *Client) Organizations(ctx context.Context) ([]api.Organization, error) {
	return call[[]api.Organization](ctx, c, "GET", "organizations", nil)
}

// CreateOrganization has an organization made.
func (c *Client) CreateOrganization(ctx context.Context, name string) (api.Organization, error) {
	return call[api.Organization](ctx, c, "POST", "organizations", name)
}

// Keys asks for the keys of an organization.
func (c *Client) Keys(ctx context.Context, organization api.ID) ([]ledger.APIKey, error) {
	return call[[]ledger.APIKey](ctx, c, "GET", "organizations/"+organization.String()+"/keys", nil)
}

// CreateKey has a key made.
func (c *Client) CreateKey(ctx context.Context, in ledger.KeyInput) (string, ledger.APIKey, error) {
	made, err := call[createdKey](ctx, c, "POST", "keys", in)
	return made.Secret, made.Key, err
}

// RevokeKey has a key ended.
func (c *Client) RevokeKey(ctx context.Context, organization, id api.ID) (ledger.APIKey, error) {
	return call[ledger.APIKey](ctx, c, "POST", "organizations/"+organization.String()+"/keys/"+id.String()+"/revoke", nil)
}

// SetPlan has a plan set.
func (c *Client) SetPlan(ctx context.Context, organization api.ID, env api.Environment, limits api.Limits) (api.Plan, error) {
	return call[api.Plan](ctx, c, "POST", "organizations/"+organization.String()+"/plans/"+string(env), limits)
}

// Rules asks how an organization works.
func (c *Client) Rules(ctx context.Context, organization api.ID, env api.Environment) (api.Rules, error) {
	return call[api.Rules](ctx, c, "GET", rulesPath(organization, env), nil)
}

// SetRules has the rules of an organization set.
func (c *Client) SetRules(ctx context.Context, organization api.ID, env api.Environment, in api.Rules) (api.Rules, error) {
	return call[api.Rules](ctx, c, "POST", rulesPath(organization, env), in)
}

func rulesPath(organization api.ID, env api.Environment) string {
	return "organizations/" + organization.String() + "/rules/" + string(env)
}

// Backup takes a copy over; it is whole when there is no error.
func (c *Client) Backup(ctx context.Context, w io.Writer, told archive.ProgressFunc) error {
	told.Report(archive.Copying, 0, 0)
	res, err := c.send(ctx, "GET", "backup", nil)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	size, _ := strconv.ParseInt(res.Header.Get(sizeHeader), 10, 64)
	sum := sha256.New()
	_, err = io.Copy(&archive.ProgressWriter{Context: ctx, To: io.MultiWriter(w, sum), Total: size, Progress: told}, res.Body)
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

// Verify has a copy of the ledger proven, pages and all.
func (c *Client) Verify(ctx context.Context, _ bool, told archive.ProgressFunc) (*ledger.VerifyResult, error) {
	res, err := c.send(ctx, "POST", "verify", nil)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	return ReadProgress(ctx, res.Body, told)
}

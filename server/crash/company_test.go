package crash_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// A company is an organization of the service, used by all workers.
type company struct {
	url, org, key string
	products      []string
	locations     []string
	opening       map[string]int64 // by product, location and state
	client        *http.Client

	events, limit atomic.Int64 // writes begun and answered
	onLimit       func()
}

// openingStock is the initial stock of each product at each location.
const openingStock = 500

func newCompany(t *testing.T, dir string) *company {
	t.Helper()
	var org struct {
		ID string `json:"organizationId"`
	}
	run(t, &org, "org", "create", "--data", dir, "--name", "Harbour Goods", "--json")
	var key struct {
		Key string `json:"key"`
	}
	run(t, &key, "key", "create", "--data", dir, "--org", org.ID, "--env", "test", "--scopes", "all", "--label", "crew", "--json")
	transport := &http.Transport{MaxIdleConnsPerHost: writers}
	t.Cleanup(transport.CloseIdleConnections)
	return &company{org: org.ID, key: key.Key, opening: map[string]int64{},
		client: &http.Client{Transport: transport, Timeout: 20 * time.Second}}
}

// furnish creates products and locations with stock.
func (c *company) furnish(t *testing.T) {
	t.Helper()
	var created struct {
		ID string `json:"id"`
	}
	for i := range 2 {
		c.mustSend(t, http.MethodPost, "/locations", fmt.Sprintf(`{"code":"WH-%d","name":"Warehouse %d","type":"warehouse"}`, i, i), &created)
		c.locations = append(c.locations, created.ID)
	}
	for i := range 4 {
		c.mustSend(t, http.MethodPost, "/products", fmt.Sprintf(`{"sku":"OAT-%d","name":"Oat milk"}`, i), &created)
		c.products = append(c.products, created.ID)
		for _, location := range c.locations {
			c.mustSend(t, http.MethodPost, "/stock/adjust", fmt.Sprintf(
				`{"productId":"%s","locationId":"%s","inventoryState":"available","quantityDelta":%d,"reason":"opening"}`, created.ID, location, openingStock), nil)
			for _, state := range []string{"onHand", "available"} {
				c.opening[created.ID+" "+location+" "+state] = openingStock
			}
		}
	}
}

// event counts a write that begins or is answered, and calls onLimit at the limit.
func (c *company) event() {
	if c.events.Add(1) == c.limit.Load() {
		c.onLimit()
	}
}

// mustSend sends a request that must succeed.
func (c *company) mustSend(t *testing.T, method, path, body string, into any) {
	t.Helper()
	status, _, response, err := c.send(method, path, uuid.NewString(), body)
	require.NoError(t, err)
	require.Less(t, status, 300, "%s", response)
	if into != nil {
		require.NoError(t, json.Unmarshal(response, into))
	}
}

// send sends a request and reads the whole response.
func (c *company) send(method, path, key, body string) (status int, replayed bool, response []byte, err error) {
	req, err := http.NewRequest(method, c.url+"/v1/organizations/"+c.org+path, strings.NewReader(body))
	if err != nil {
		return 0, false, nil, err
	}
	req.Header.Set("Authorization", "Bearer "+c.key)
	if method == http.MethodPost {
		req.Header.Set("Content-Type", "application/json")
		// net/http may resend a request with this header by itself. Setting GetBody
		// to nil prevents that.
		req.Header.Set("Idempotency-Key", key)
		req.GetBody = nil
	}
	res, err := c.client.Do(req)
	if err != nil {
		return 0, false, nil, err
	}
	defer res.Body.Close()
	var b bytes.Buffer
	_, err = io.Copy(&b, res.Body)
	return res.StatusCode, res.Header.Get("Idempotent-Replayed") == "true", b.Bytes(), err
}

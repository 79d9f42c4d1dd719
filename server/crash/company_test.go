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

// A company is the company of the test, as its workers reach it.
type company struct {
	url, org, key string
	products      []string
	places        []string
	opening       map[string]int64 // by product, location and state
	client        *http.Client

	answered, limit atomic.Int64
	onLimit         func()
}

// openingStock is how many of each product are at each place when the work begins.
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

// furnish makes products and places and puts stock there.
func (c *company) furnish(t *testing.T) {
	t.Helper()
	var made struct {
		ID string `json:"id"`
	}
	for i := range 2 {
		c.mustSend(t, http.MethodPost, "/locations", fmt.Sprintf(`{"code":"WH-%d","name":"Warehouse %d","type":"warehouse"}`, i, i), &made)
		c.places = append(c.places, made.ID)
	}
	for i := range 4 {
		c.mustSend(t, http.MethodPost, "/products", fmt.Sprintf(`{"sku":"OAT-%d","name":"Oat milk"}`, i), &made)
		c.products = append(c.products, made.ID)
		for _, place := range c.places {
			c.mustSend(t, http.MethodPost, "/stock/adjust", fmt.Sprintf(
				`{"productId":"%s","locationId":"%s","inventoryState":"available","quantityDelta":%d,"reason":"opening"}`, made.ID, place, openingStock), nil)
			for _, state := range []string{"onHand", "available"} {
				c.opening[made.ID+" "+place+" "+state] = openingStock
			}
		}
	}
}

// mustSend makes a request that is answered well.
func (c *company) mustSend(t *testing.T, method, path, body string, into any) {
	t.Helper()
	status, _, answer, err := c.send(method, path, uuid.NewString(), body)
	require.NoError(t, err)
	require.Less(t, status, 300, "%s", answer)
	if into != nil {
		require.NoError(t, json.Unmarshal(answer, into))
	}
}

// send makes a request and reads the whole answer.
func (c *company) send(method, path, key, body string) (status int, replayed bool, answer []byte, err error) {
	req, err := http.NewRequest(method, c.url+"/v1/organizations/"+c.org+path, strings.NewReader(body))
	if err != nil {
		return 0, false, nil, err
	}
	req.Header.Set("Authorization", "Bearer "+c.key)
	if method == http.MethodPost {
		req.Header.Set("Content-Type", "application/json")
		// A request with this header may be sent again by net/http itself; an
		// explicit nil GetBody keeps every attempt the test's own.
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

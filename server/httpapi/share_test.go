package httpapi_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/httpapi"
)

var otherOrganization = uuid.MustParse("0198c5e2-7b1a-7c3e-9d41-00000000000b")

// twoOrganizations authenticates readOnly as a key of otherOrganization.
func twoOrganizations(ctx context.Context, key string) (*api.Caller, error) {
	c, err := authenticate(ctx, key)
	if err == nil && key == readOnly {
		c.KeyID, c.Organization = uuid.UUID{15: 2}, otherOrganization
	}
	return c, err
}

// busyServer has a service that answers when told to, and tells whose request runs.
type busyServer struct {
	*testServer
	running []string // "a" or "b", by organization
	answer  chan struct{}
	done    map[string]int // statuses, counted as "a 200"
}

func openBusy(t *testing.T, change func(*httpapi.Config)) *busyServer {
	b := &busyServer{answer: make(chan struct{}), done: map[string]int{}}
	b.testServer = open(t, func(c *httpapi.Config) { c.Authenticate = twoOrganizations }, change)
	b.hook = func(_ context.Context, req *api.Request) (*api.Response, error) {
		name := "a"
		if req.Caller.Organization == otherOrganization {
			name = "b"
		}
		b.mu.Lock()
		b.running = append(b.running, name)
		b.mu.Unlock()
		<-b.answer
		if _, ok := req.Input.(*api.ListChangesInput); ok {
			return &api.Response{Output: &api.Changes{}}, nil
		}
		return &api.Response{Output: &api.List[api.Place]{}}, nil
	}
	return b
}

// begin sends a request, which waits or runs when begin returns.
func (b *busyServer) begin(name, path string) {
	r := newRequest("GET", base+path, "")
	if name == "b" {
		r = newRequest("GET", "/v1/organizations/"+otherOrganization.String()+path, "", "Authorization: Bearer "+readOnly)
	}
	go func() {
		w := b.serve(r)
		b.mu.Lock()
		defer b.mu.Unlock()
		b.done[name+" "+strings.ToLower(http.StatusText(w.Code))]++
	}()
	synctest.Wait()
}

// An organization with few requests does not wait for those of one with many.
func TestShare_FewestRunningIsNext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := openBusy(t, func(c *httpapi.Config) { c.MaxReads = 4 })
		for range 10 {
			b.begin("b", "/locations")
		}
		require.Equal(t, []string{"b", "b", "b"}, b.running, "one slot is left for others")
		b.begin("a", "/locations")
		require.Equal(t, []string{"b", "b", "b", "a"}, b.running, "it runs at once")
		b.begin("a", "/locations")
		b.answer <- struct{}{}
		synctest.Wait()
		require.Len(t, b.running, 5)
		require.Equal(t, "a", b.running[4], "it runs before those that came earlier")
		close(b.answer)
		synctest.Wait()
		require.Equal(t, map[string]int{"a ok": 2, "b ok": 10}, b.done)
	})
}

// When too many wait, the organization with the most loses its newest request.
func TestShare_RejectsOfTheLargest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := openBusy(t, func(c *httpapi.Config) { c.MaxReads, c.MaxConcurrent = 1, 4 })
		for range 5 {
			b.begin("b", "/locations")
		}
		require.Equal(t, map[string]int{"b service unavailable": 1}, b.done)
		b.begin("a", "/locations")
		require.Equal(t, map[string]int{"b service unavailable": 2}, b.done)
		b.answer <- struct{}{}
		synctest.Wait()
		require.Equal(t, []string{"b", "a"}, b.running)
		close(b.answer)
		synctest.Wait()
		require.Equal(t, map[string]int{"a ok": 1, "b ok": 3, "b service unavailable": 2}, b.done)
	})
}

// A request whose client is gone, or whose time is up, leaves the queue.
func TestShare_EndedRequestLeaves(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := openBusy(t, func(c *httpapi.Config) { c.MaxReads = 1 })
		b.begin("b", "/locations")
		ctx, cancel := context.WithCancel(t.Context())
		answered := make(chan *httptest.ResponseRecorder, 1)
		go func() { answered <- b.serve(newRequest("GET", base+"/locations", "").WithContext(ctx)) }()
		synctest.Wait()
		cancel()
		require.Equal(t, 503, (<-answered).Code)
		close(b.answer)
		synctest.Wait()
		require.Equal(t, []string{"b"}, b.running)
		b.begin("a", "/locations")
		require.Equal(t, 1, b.done["a ok"])
	})
}

// An organization's long polls leave room for those of others.
func TestShare_LongPolls(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := openBusy(t, func(c *httpapi.Config) { c.MaxWaitingEach, c.MaxReads = 2, 1 })
		for range 3 {
			b.begin("b", "/changes?wait=20")
		}
		require.Equal(t, map[string]int{"b service unavailable": 1}, b.done)
		b.begin("a", "/changes?wait=20")
		require.Equal(t, []string{"b", "b", "a"}, b.running)
		close(b.answer)
		synctest.Wait()
		require.Equal(t, map[string]int{"a ok": 1, "b ok": 2, "b service unavailable": 1}, b.done)
		b.begin("b", "/changes?wait=20")
		require.Equal(t, 3, b.done["b ok"], "the polls that ended do not count")
	})
}

// A key has only so many bytes under way; they count until the answer is sent.
func TestShare_Bytes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := open(t, func(c *httpapi.Config) { c.Authenticate, c.MaxBytes = twoKeys, 4*1500 })
		inside, answer := make(chan struct{}), make(chan struct{})
		h.hook = func(context.Context, *api.Request) (*api.Response, error) {
			inside <- struct{}{}
			<-answer
			return &api.Response{Output: &api.Place{}}, nil
		}
		body := aisleBody + strings.Repeat(" ", 1000-len(aisleBody))
		answers := make(chan *httptest.ResponseRecorder, 1)
		go func() { answers <- h.serve(newRequest("POST", base+"/locations", body)) }()
		<-inside
		w := h.serve(newRequest("POST", base+"/locations", body))
		require.Equal(t, 429, w.Code)
		require.Equal(t, "1", w.Header().Get("Retry-After"))
		require.Equal(t, api.RateLimited, problemOf(t, w).Code)
		close(answer)
		require.Equal(t, 201, (<-answers).Code)
		go func() { <-inside }()
		require.Equal(t, 201, h.serve(newRequest("POST", base+"/locations", body)).Code)
	})
}

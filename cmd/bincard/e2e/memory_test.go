package e2e_test

import (
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/budget"
)

// TestServe_ReturnsMemory needs the release: by itself, the Go runtime would keep several
// times as much.
func TestServe_ReturnsMemory(t *testing.T) {
	t.Parallel()
	budget.ReturnedMemory.Cases(t)
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	s := h.serve(c, "")
	body := strings.Repeat(" ", 900<<10) + "{}"
	var clients sync.WaitGroup
	for range 32 {
		clients.Go(func() {
			for range 4 {
				r, err := http.NewRequest("POST", s.url+"/v1/organizations/"+c.org.String()+"/locations", strings.NewReader(body))
				if err != nil {
					t.Error(err)
					return
				}
				r.Header = http.Header{"Authorization": {"Bearer " + c.key}, "Content-Type": {"application/json"}, "Idempotency-Key": {"key"}}
				res, err := s.transport.RoundTrip(r)
				if err != nil {
					t.Error(err)
					return
				}
				_ = res.Body.Close()
			}
		})
	}
	clients.Wait()
	s.transport.CloseIdleConnections()
	require.Greater(t, s.heapMB(), 40)
	require.Eventually(t, func() bool { return s.heapMB() < 24 }, waitTimeout, 10*pollInterval)
}

var heapBytes = regexp.MustCompile(`(?m)^go_memstats_heap_(sys|released)_bytes (\S+)$`)

// heapMB returns the memory that the heap of the service holds.
func (s *service) heapMB() int {
	s.t.Helper()
	res, err := http.Get(s.url + "/metrics")
	require.NoError(s.t, err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	require.NoError(s.t, err)
	bytes := map[string]float64{}
	for _, m := range heapBytes.FindAllStringSubmatch(string(text), -1) {
		bytes[m[1]], err = strconv.ParseFloat(m[2], 64)
		require.NoError(s.t, err)
	}
	require.Len(s.t, bytes, 2)
	return int(bytes["sys"]-bytes["released"]) >> 20
}

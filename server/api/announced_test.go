package api_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

func TestAnnounced_RoundTrips(t *testing.T) {
	t.Parallel()
	expires := time.Date(2027, 1, 31, 0, 0, 0, 0, time.UTC)
	a := api.Announced{Digest: "d", Line: "10", SSCC: "340123450000000018", LotCode: "L1", BatchCode: "B", ExpiresAt: &expires, SerialNumbers: []string{"S-1"}}
	m, err := a.Metadata()
	require.NoError(t, err)
	require.JSONEq(t, `{"announced":{"digest":"d","line":"10","sscc":"340123450000000018","lotCode":"L1","batchCode":"B",
		"expiresAt":"2027-01-31T00:00:00Z","serialNumbers":["S-1"]}}`, string(m))
	require.Equal(t, a, api.AnnouncedIn(m))
}

// Metadata of other programs announces nothing, whatever it has.
func TestAnnouncedIn_OtherMetadata(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "{}", `{"a":1}`, `{"announced":"x"}`, `{"announced":{"sscc":7}}`, "[]"} {
		require.Zero(t, api.AnnouncedIn(api.Metadata(text)), text)
	}
	require.Equal(t, "1", api.AnnouncedIn(api.Metadata(`{"x":{},"announced":{"sscc":"1","new":2}}`)).SSCC)
}

func TestFindSSCC(t *testing.T) {
	t.Parallel()
	on := func(sscc string) api.Inbound {
		m, err := (&api.Announced{SSCC: sscc}).Metadata()
		require.NoError(t, err)
		return api.Inbound{Metadata: m}
	}
	delivery := []api.Inbound{on("1"), on("2"), {}, on("1")}
	require.Equal(t, []int{0, 3}, api.FindSSCC(delivery, "1"))
	require.Empty(t, api.FindSSCC(delivery, "3"))
	require.Empty(t, api.FindSSCC(delivery, ""))
}

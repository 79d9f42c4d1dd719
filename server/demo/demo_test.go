package demo_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server"
	"bincard/server/api"
	"bincard/server/demo"
)

// open creates and opens a demo as of a fixed time.
func open(t *testing.T) (*server.Server, api.Organization) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "demo")
	now := time.Date(2026, 11, 20, 13, 0, 0, 0, time.UTC)
	require.NoError(t, demo.Make(context.Background(), dir, now))
	s, err := server.Open(server.Config{Dir: dir, Now: func() time.Time { return now }})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	orgs, err := s.Ledger.Organizations(context.Background())
	require.NoError(t, err)
	require.Len(t, orgs, 1)
	require.NoError(t, demo.Make(context.Background(), dir, now), "an existing demo is not changed")
	sheet, err := demo.BarcodeSheet(dir)
	require.NoError(t, err)
	require.Contains(t, sheet, "(01)0952")
	for line := range strings.Lines(sheet) {
		require.LessOrEqual(t, len(line), 80, "a code must not wrap: %s", line)
	}
	return s, orgs[0]
}

func TestMake_PassesVerification(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	proof, err := s.Ledger.Verify(context.Background())
	require.NoError(t, err)
	require.Empty(t, proof.Faults)
	require.Greater(t, proof.Movements, 2000)
}

func TestMake_HasDocumentsInEveryStatus(t *testing.T) {
	t.Parallel()
	s, org := open(t)
	for _, env := range []api.Environment{api.Live, api.Test} {
		svc := api.As(s.Ledger, api.Caller{Organization: org.ID, Environment: env, Scopes: api.Scopes,
			Actor: api.Actor{Type: api.User, Label: "Ada"}}, "")
		for _, status := range api.InboundStatus("").Values() {
			list, err := api.ListInbounds.Call(context.Background(), svc, api.ListInboundsInput{Status: api.InboundStatus(status)})
			require.NoError(t, err)
			require.NotEmpty(t, list.Items, "inbound %s", status)
		}
		for _, status := range api.TransferStatus("").Values() {
			list, err := api.ListTransfers.Call(context.Background(), svc, api.ListTransfersInput{Status: api.TransferStatus(status)})
			require.NoError(t, err)
			require.NotEmpty(t, list.Items, "transfer %s", status)
		}
		for _, status := range api.OutboundStatus("").Values() {
			list, err := api.ListOutbounds.Call(context.Background(), svc, api.ListOutboundsInput{Status: api.OutboundStatus(status)})
			require.NoError(t, err)
			require.NotEmpty(t, list.Items, "outbound %s", status)
		}
	}
}

// TestMake_OnAnyDay creates demos on a leap day, in the last minutes of a
// year, and far from UTC on either side.
func TestMake_OnAnyDay(t *testing.T) {
	t.Parallel()
	for _, now := range []time.Time{
		time.Date(2028, 2, 29, 0, 1, 0, 0, time.FixedZone("UTC+14", 14*60*60)),
		time.Date(2027, 12, 31, 23, 58, 0, 0, time.FixedZone("UTC-11", -11*60*60)),
	} {
		t.Run(now.String(), func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "demo")
			require.NoError(t, demo.Make(t.Context(), dir, now))
			s, err := server.Open(server.Config{Dir: dir, Now: func() time.Time { return now }})
			require.NoError(t, err)
			defer s.Close()
			proof, err := s.Ledger.Verify(t.Context())
			require.NoError(t, err)
			require.Empty(t, proof.Faults)
		})
	}
}

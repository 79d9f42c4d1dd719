package status

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/tuitest"
	"bincard/views/session"
)

func TestSetSync_ShowsWhatBlocksTheQueue(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	ago := func(d time.Duration) *time.Time { at := now.Add(-d); return &at }
	quota := now.Add(time.Hour)
	for text, st := range map[string]api.Sync{
		"ONLINE 2s":        {State: api.SyncOnline, Heard: ago(2 * time.Second)},
		"STUCK 1 h 30 m":   {State: api.SyncOnline, Heard: ago(2 * time.Second), Oldest: ago(90 * time.Minute), Alarms: []api.SyncAlarm{api.AlarmLate}},
		"DENIED":           {State: api.SyncDenied, Heard: ago(2 * time.Second)},
		"OFFLINE 3 h 12 m": {State: api.SyncOffline, Heard: ago(192 * time.Minute)},
		"OFFLINE 2m":       {State: api.SyncOffline, Read: ago(2 * time.Minute)},
		"OFFLINE":          {State: api.SyncOffline},
		"NO SERVICE (200)": {State: api.SyncForeign, Why: &api.WorkRefusal{Details: api.Details{"status": int64(200)}}},
		"QUOTA until " + quota.Local().Format("15:04"): {State: api.SyncQuota, Next: &quota},
	} {
		var s tui.Status
		st.Waiting, st.Refused, st.Held = 2, 1, 1
		setSync(nil, &s, &st, now)
		require.Equal(t, text, s.Connection)
		require.Equal(t, text != "ONLINE 2s", s.Offline, text)
		require.Equal(t, 2, s.Pending)
		require.Equal(t, 2, s.Refused)
	}
}

// An alarm that does not block the queue is shown with the connection, and on a small
// terminal in its place if it is the more urgent one.
func TestSetSync_ShowsAlarms(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	heard := now.Add(-2 * time.Second)
	for _, of := range []struct {
		wide, small string
		state       api.SyncState
		alarms      []api.SyncAlarm
	}{
		{"DAMAGE · ONLINE 2s", "DAMAGE", api.SyncOnline, []api.SyncAlarm{api.AlarmDamage, api.AlarmClock}},
		{"DAMAGE · OFFLINE 2s", "DAMAGE", api.SyncOffline, []api.SyncAlarm{api.AlarmDamage}},
		{"DAMAGE · DISK FULL", "DISK", api.SyncOnline, []api.SyncAlarm{api.AlarmDisk, api.AlarmDamage}},
		{"MIRROR · ONLINE 2s", "MIRROR", api.SyncOnline, []api.SyncAlarm{api.AlarmMirror}},
		{"CLOCK · ONLINE 2s", "CLOCK", api.SyncOnline, []api.SyncAlarm{api.AlarmClock}},
		{"CLOCK · OFFLINE 2s", "OFFLINE", api.SyncOffline, []api.SyncAlarm{api.AlarmClock}},
		{"CLOCK · NO SERVICE", "FOREIGN", api.SyncForeign, []api.SyncAlarm{api.AlarmForeign, api.AlarmClock}},
		{"IN USE TWICE", "COPIED", api.SyncOnline, []api.SyncAlarm{api.AlarmCopy}},
		{"DAMAGE · IN USE TWICE", "COPIED", api.SyncQuota, []api.SyncAlarm{api.AlarmDamage, api.AlarmCopy}},
		{"DISK FULL", "DISK", api.SyncOffline, []api.SyncAlarm{api.AlarmDisk}},
	} {
		var s tui.Status
		setSync(nil, &s, &api.Sync{State: of.state, Heard: &heard, Alarms: of.alarms}, now)
		require.Equal(t, of.wide, s.Connection)
		require.Equal(t, of.small, s.Short, of.wide)
		require.True(t, s.Offline, of.wide)
	}
}

type service struct {
	now  time.Time
	fail error
}

func (s *service) Do(context.Context, *api.Request) (*api.Response, error) {
	return &api.Response{}, s.fail
}

func TestSetSync_German(t *testing.T) {
	t.Parallel()
	german := tuitest.Language(t, "de")
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	oldest, next := now.Add(-90*time.Minute), time.Date(2026, 12, 1, 1, 0, 0, 0, time.Local)
	for text, st := range map[string]api.Sync{
		"HÄNGT 1 h 30 m":       {State: api.SyncOnline, Oldest: &oldest, Waiting: 1, Alarms: []api.SyncAlarm{api.AlarmLate}},
		"GESPERRT":             {State: api.SyncDenied},
		"KONTINGENT bis 01:00": {State: api.SyncQuota, Next: &next},
		"DOPPELT BENUTZT":      {State: api.SyncOnline, Waiting: 1, Alarms: []api.SyncAlarm{api.AlarmCopy, api.AlarmLate}},
		"SCHADEN · OFFLINE":    {State: api.SyncOffline, Alarms: []api.SyncAlarm{api.AlarmDamage}},
	} {
		var s tui.Status
		setSync(german, &s, &st, now)
		require.Equal(t, text, s.Connection)
	}
}

func TestMonitor_ShowsWhenTheServiceAnswered(t *testing.T) {
	t.Parallel()
	svc := &service{now: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)}
	m := New(Options{Service: svc, Remote: true, Company: "Harbor Goods", Environment: api.Live, Operator: "Ada",
		Now: func() time.Time { return svc.now }, ClockOffset: func() time.Duration { return 0 }})
	site := session.NewSite(session.Options{Service: m, Now: m.Now})
	shows := func(connection string, offline bool) {
		t.Helper()
		s := m.Header(site)
		require.Equal(t, connection, s.Connection)
		require.Equal(t, offline, s.Offline)
		require.Equal(t, "Harbor Goods LIVE Ada", s.Company+" "+s.Environment+" "+s.Operator)
		require.True(t, s.Live)
	}
	shows("CONNECTING", false)
	req := &api.Request{Spec: api.GetAccess.Spec}
	_, _ = m.Do(t.Context(), req)
	svc.now = svc.now.Add(3 * time.Second)
	shows("ONLINE 3s", false)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, err := range []error{context.Canceled, context.DeadlineExceeded} { // of a screen that was left, or of a read in many parts
		svc.fail = &api.Error{Code: api.Unavailable, Err: err}
		_, _ = m.Do(ended, req)
		shows("ONLINE 3s", false)
	}
	svc.fail = api.Fail(api.Unavailable, nil, "No answer.")
	_, _ = m.Do(t.Context(), req)
	svc.now = svc.now.Add(2 * time.Minute)
	_, _ = m.Do(t.Context(), req)
	shows("OFFLINE 2m", true)
	svc.fail = api.Fail(api.NotFound, nil, "No such thing.")
	_, _ = m.Do(t.Context(), req)
	shows("ONLINE 0s", false)
}

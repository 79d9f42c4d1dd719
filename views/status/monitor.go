package status

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/session"
)

// Options are the options of New.
type Options struct {
	Service     api.Service
	Remote      bool // the service is reached over a network
	Company     string
	Environment api.Environment
	Operator    string
	Translator  *i18n.Translator // of warnings
	Now         func() time.Time
	ClockOffset func() time.Duration // of the service's clock
}

// A Monitor is an api.Service that records when the service last answered.
type Monitor struct {
	Options

	mu            sync.Mutex
	status        tui.Status
	lastAnswer    time.Time
	silentSince   time.Time // first request without an answer; zero after an answer
	lostSince     time.Time // since when the node does not answer
	clockReported bool
	warn          func(text string) // nil until Poll
}

var _ api.Service = (*Monitor)(nil)

// New returns a monitor.
func New(o Options) *Monitor {
	return &Monitor{
		Options: o,
		status: tui.Status{Company: o.Company, Environment: strings.ToUpper(string(o.Environment)),
			Live: o.Environment == api.Live, Operator: o.Operator},
	}
}

// Do performs the operation and records whether the service answered. It warns if
// the service's clock is far from this machine's.
func (m *Monitor) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	start := m.Now()
	res, err := m.Service.Do(ctx, req)
	m.mu.Lock()
	defer m.mu.Unlock()
	switch now := m.Now(); {
	case errors.Is(err, context.Canceled): // the caller did not wait
	case !isSilent(err):
		m.lastAnswer, m.silentSince = now, time.Time{}
	case ctx.Err() != nil && now.Sub(start) < pollTimeout: // or hardly
	case m.silentSince.IsZero():
		m.silentSince = now
	}

	if text := session.ClockWords(m.Translator, m.ClockOffset()); m.warn != nil && (text != "") != m.clockReported {
		if m.clockReported = text != ""; m.clockReported {
			m.warn(text)
		}
	}

	return res, err
}

// isSilent reports whether the service did not answer.
func isSilent(err error) bool {
	return api.HasCode(err, api.Unavailable) || errors.Is(err, context.DeadlineExceeded)
}

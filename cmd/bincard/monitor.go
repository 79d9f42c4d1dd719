package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"bincard/offline/host"
	"bincard/server/api"
	"bincard/tui"
	"bincard/views/dock"
)

// A monitor is a service that remembers when it answered last, for the header.
type monitor struct {
	api.Service
	clock  host.Clock
	remote bool

	mu          sync.Mutex
	status      tui.Status
	lastAnswer  time.Time // of the last answer
	silentSince time.Time // since when there is none; zero while there is
	lostSince   time.Time // since when what stands before the service does not answer
	clockTold   bool
	tell        func(text string) // warns the person; nil while nobody is there
}

func newMonitor(l *backend, operator string) *monitor {
	w := &monitor{Service: l.service, clock: l.clock, remote: l.remote}
	w.status = tui.Status{Company: l.company, Environment: strings.ToUpper(string(l.environment)),
		Live: l.environment == api.Live, Operator: operator}
	return w
}

// Do performs the operation and notes whether the service answered at all.
func (w *monitor) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	res, err := w.Service.Do(ctx, req)
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil && (api.HasCode(err, api.Unavailable) || errors.Is(err, context.DeadlineExceeded)) {
		if w.silentSince.IsZero() {
			w.silentSince = w.clock.Now()
		}
	} else if !errors.Is(err, context.Canceled) {
		w.lastAnswer, w.silentSince = w.clock.Now(), time.Time{}
	}
	if words := dock.ClockWords(english, w.clock.ClockOffset()); w.tell != nil && (words != "") != w.clockTold {
		if w.clockTold = words != ""; w.clockTold {
			w.tell(words)
		}
	}
	return res, err
}

// header is the shell's header: location, operator and connection.
func (w *monitor) header(site *dock.Site) tui.Status {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.status
	s.Location = site.Location().String()
	switch {
	case !w.lostSince.IsZero():
		if st := site.SyncStatus(); st != nil { // what was known to wait still does
			setSync(&s, st, w.clock.Now())
		}
		s.Connection, s.Offline = "OFFLINE "+formatSpan(w.clock.Now().Sub(w.lostSince)), true
	case site.SyncStatus() != nil:
		setSync(&s, site.SyncStatus(), w.clock.Now())
	case !w.remote:
		s.Connection = "LOCAL"
	case !w.silentSince.IsZero():
		s.Connection, s.Offline = "OFFLINE "+formatAge(w.clock.Now().Sub(w.silentSince)), true
	case w.lastAnswer.IsZero():
		s.Connection = "CONNECTING"
	default:
		s.Connection = "ONLINE " + formatAge(w.clock.Now().Sub(w.lastAnswer))
	}
	return s
}

// The pauses between two tries of a service that cannot be reached.
const (
	minRetry = time.Second
	maxRetry = 5 * time.Second
)

// learnWithRetry is learn for a service that may be reached only later: it goes on
// until there was an answer, or ctx ends.
func (w *monitor) learnWithRetry(ctx context.Context, site *dock.Site, code string) (found bool) {
	for pause := minRetry; ; pause = min(2*pause, maxRetry) {
		found = w.learn(ctx, site, code)
		w.mu.Lock()
		answered := w.silentSince.IsZero()
		w.mu.Unlock()
		if found || answered {
			return found
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return false
		}
	}
}

// learn asks the service who one is and finds the place, without holding up
// the first frame. A service that tells neither is worked with as it is. The
// result is whether the place was found now.
func (w *monitor) learn(ctx context.Context, site *dock.Site, code string) (found bool) {
	if access, err := dock.Call(ctx, site, api.GetAccess, api.GetAccessInput{}); err == nil {
		w.mu.Lock()
		w.status.Company = access.Organization.Name
		w.status.Environment = strings.ToUpper(string(access.Environment))
		w.status.Live = access.Environment == api.Live
		w.mu.Unlock()
		if access.LocationID != nil {
			if place, ok := boundLocation(ctx, site, *access.LocationID); ok && place != site.Location() {
				site.SetLocation(place)
				return true
			}
		}
	}
	if site.Location().IsSet() {
		return false
	}
	place, ok := initialLocation(ctx, site, code)
	if !ok || site.Location().IsSet() {
		return false
	}
	site.SetLocation(place)
	return true
}

// boundLocation is the place of a key that may work at one location alone.
func boundLocation(ctx context.Context, site *dock.Site, id api.ID) (dock.Location, bool) {
	places, err := site.Locations(ctx)
	if err != nil {
		return dock.Location{}, false
	}
	i := slices.IndexFunc(places, func(p dock.Location) bool { return p.ID == id })
	if i < 0 {
		return dock.Location{}, false
	}
	return places[i], true
}

// initialLocation is the place of a code, or the only one, or the first that was made.
func initialLocation(ctx context.Context, site *dock.Site, code string) (dock.Location, bool) {
	places, err := site.Locations(ctx)
	if err != nil {
		return dock.Location{}, false
	}
	for _, p := range places {
		if strings.EqualFold(p.Code, code) || len(places) == 1 {
			return p, true
		}
	}
	limit := int64(100)
	list, err := dock.Call(ctx, site, api.ListLocations, api.ListPlacesInput{Limit: &limit})
	if err != nil || len(list.Items) == 0 {
		return dock.Location{}, false
	}
	first := list.Items[len(list.Items)-1]
	return dock.Location{ID: first.ID, Code: first.Code, Name: first.Name}, true
}

// formatAge says how long: 2s, 5m, 3h.
func formatAge(d time.Duration) string {
	d = max(0, d) // a clock may have been set back
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	}
	return fmt.Sprintf("%dh", int(d.Hours()))
}

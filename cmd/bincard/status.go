package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"bincard/offline"
	"bincard/server/api"
	"bincard/tui"
	"bincard/views/dock"
)

// A watch is a service that remembers when it answered last, for the header.
type watch struct {
	api.Service
	remote bool
	node   *shared

	mu     sync.Mutex
	status tui.Status
	heard  time.Time // of the last answer
	silent time.Time // since when there is none; zero while there is
	now    func() time.Time
}

func newWatch(l *link, operator string) *watch {
	w := &watch{Service: l.service, remote: l.remote, node: l.node, now: time.Now}
	w.status = tui.Status{Company: l.company, Environment: strings.ToUpper(string(l.environment)),
		Live: l.environment == api.Live, Operator: operator}
	return w
}

// Do performs the operation and notes whether the service answered at all.
func (w *watch) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	res, err := w.Service.Do(ctx, req)
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil && (api.HasCode(err, api.Unavailable) || errors.Is(err, context.DeadlineExceeded)) {
		if w.silent.IsZero() {
			w.silent = w.now()
		}
	} else if !errors.Is(err, context.Canceled) {
		w.heard, w.silent = w.now(), time.Time{}
	}
	return res, err
}

// header is what the shell shows of where one stands.
func (w *watch) header(site *dock.Site) tui.Status {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.status
	s.Place = site.Place().String()
	switch {
	case w.node != nil && w.node.owner() != nil:
		stands(&s, w.node.owner().Status(), w.now())
	case !w.remote:
		s.Connection = "LOCAL"
	case !w.silent.IsZero():
		s.Connection, s.Offline = "OFFLINE "+short(w.now().Sub(w.silent)), true
	case w.heard.IsZero():
		s.Connection = "CONNECTING"
	default:
		s.Connection = "ONLINE " + short(w.now().Sub(w.heard))
	}
	return s
}

// unheard is after how long without an answer a line is down that was not told
// so: the service is asked all the time, and waits less than this.
const unheard = time.Minute

// overdue is how long what was done may wait while there is a connection.
const overdue = time.Hour

// stands tells how a node is: its connection, and what waits. Whatever keeps
// the queue from moving is said in its place.
func stands(s *tui.Status, st offline.Status, now time.Time) {
	s.Waiting, s.Refused = st.Waiting, st.Refused+st.Held
	heard := st.Line.Heard
	switch {
	case st.Line.Barred != nil:
		s.Connection, s.Offline = "NO-ENTRY", true
	case heard.IsZero():
		s.Connection, s.Offline = "OFFLINE", true
	case !st.Line.Up || now.Sub(heard) > unheard:
		s.Connection, s.Offline = "OFFLINE "+span(now.Sub(heard)), true
	case st.Line.Exhausted:
		s.Connection, s.Offline = "QUOTA until "+st.Line.Quota.Local().Format("15:04"), true
	case st.Waiting > 0 && now.Sub(st.Oldest) > overdue:
		s.Connection, s.Offline = "STUCK "+span(now.Sub(st.Oldest)), true
	default:
		s.Connection = "ONLINE " + short(now.Sub(heard))
	}
}

// span is short, with the minutes beside the hours: 3 h 12 m.
func span(d time.Duration) string {
	if d < time.Hour {
		return short(d)
	}
	return fmt.Sprintf("%d h %d m", int(d.Hours()), int(d.Minutes())%60)
}

// learn asks the service who one is and finds the place, without holding up
// the first frame. A service that tells neither is worked with as it is. The
// result is whether the place was found now.
func (w *watch) learn(ctx context.Context, site *dock.Site, code string) (found bool) {
	if access, err := dock.Ask(ctx, site, api.GetAccess, api.GetAccessInput{}); err == nil {
		w.mu.Lock()
		w.status.Company = access.Organization.Name
		w.status.Environment = strings.ToUpper(string(access.Environment))
		w.status.Live = access.Environment == api.Live
		w.mu.Unlock()
	}
	if site.Place().Chosen() {
		return false
	}
	place, ok := standing(ctx, site, code)
	if !ok || site.Place().Chosen() {
		return false
	}
	site.SetPlace(place)
	return true
}

// standing is the place of a code, or the only one, or the first that was made.
func standing(ctx context.Context, site *dock.Site, code string) (dock.Place, bool) {
	places, err := site.Places(ctx)
	if err != nil {
		return dock.Place{}, false
	}
	for _, p := range places {
		if strings.EqualFold(p.Code, code) || len(places) == 1 {
			return p, true
		}
	}
	limit := int64(100)
	list, err := dock.Ask(ctx, site, api.ListLocations, api.ListPlacesInput{Limit: &limit})
	if err != nil || len(list.Items) == 0 {
		return dock.Place{}, false
	}
	first := list.Items[len(list.Items)-1]
	return dock.Place{ID: first.ID, Code: first.Code, Name: first.Name}, true
}

// short says how long: 2s, 5m, 3h.
func short(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	}
	return fmt.Sprintf("%dh", int(d.Hours()))
}

package session

import (
	"context"
	"sync"
	"time"

	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/tui/widget"
)

// syncBadges holds the documents and balances with unsynced work.
type syncBadges struct {
	counts    workCounts
	documents map[api.ID]string // glyph by document
	balances  map[[2]api.ID]bool
}

// workCounts are the counts of a sync status that change with the work.
type workCounts struct{ waiting, sent, refused, held int64 }

func workCountsOf(st *api.Sync) workCounts {
	return workCounts{st.Waiting, st.Sent, st.Refused, st.Held}
}

func (b *syncBadges) add(w *api.Work) {
	g := &w.Stock
	undecided := w.State.NeedsDecision()
	if g.Document != api.NoID {
		if undecided {
			b.documents[g.Document] = widget.GlyphRefused
		} else if b.documents[g.Document] == "" {
			b.documents[g.Document] = widget.GlyphPending
		}
	}

	if g.ProductID != api.NoID && !undecided { // rejected work does not change the stock shown
		b.balances[[2]api.ID{g.ProductID, g.LocationID}] = true
	}
}

// syncState is what was last read about the work that waits to sync.
type syncState struct {
	mu     sync.Mutex
	status *api.Sync   // nil without a node
	badges *syncBadges // documents and balances with unsynced work
}

func (s *syncState) setSyncStatus(st *api.Sync) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.status = st
}

// SyncStatus returns the sync status last read; nil if there is no node or it was not
// read yet.
func (s *syncState) SyncStatus() *api.Sync {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.status
}

// isOffline reports whether the service is known to be unreachable.
func (s *syncState) isOffline() bool {
	st := s.SyncStatus()
	return st != nil && st.State == api.SyncOffline
}

// hasBadges reports whether the badges are those of the work that counts describes.
func (s *syncState) hasBadges(counts workCounts) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.badges != nil && s.badges.counts == counts
}

func (s *syncState) setBadges(b *syncBadges) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.badges = b
}

// SyncBadge returns the glyph for a document with unsynced work, followed by a space,
// or "" if there is none. The glyph shows whether the work is pending or needs a
// decision.
func (s *syncState) SyncBadge(document api.ID) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.badges == nil || s.badges.documents[document] == "" {
		return ""
	}
	return s.badges.documents[document] + " "
}

// HasUnsyncedStock reports whether unsynced work changes the shown stock of a product
// at a location.
func (s *syncState) HasUnsyncedStock(product, location api.ID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.badges != nil && s.badges.balances[[2]api.ID{product, location}]
}

// FetchSyncStatus reads the sync status and stores it. It returns an UnsupportedError
// if there is no node between the terminal and the service.
func (s *Site) FetchSyncStatus(ctx context.Context) (api.Sync, error) {
	st, err := CallNode(ctx, s, api.GetSync, api.SyncInput{})
	if err == nil {
		loadBadges(ctx, s, &st)
	}
	return st, err
}

// CallNode performs an operation of the node, which answers without the service.
func CallNode[I, O any](ctx context.Context, s *Site, op api.Operation[I, O], in I, opts ...api.Option) (O, error) {
	var zero O
	if err := s.checkSupport(op.Spec); err != nil {
		return zero, err
	}

	out, err := op.Call(ctx, s.service, in, append([]api.Option{api.By(s.Operator())}, opts...)...)
	switch st, isStatus := any(out).(api.Sync); {
	case err != nil && meansUnsupported(op.Spec, err) && op.Spec.ID == api.GetSync.ID:
		s.recordSupport(op.Spec, false)
		return zero, s.checkSupport(op.Spec)
	case err != nil:
		return zero, err
	case isStatus:
		s.setSyncStatus(&st)
	}

	return out, nil
}

// maxBadgedWork limits how much work, oldest first, is read for the badges.
const maxBadgedWork = 200

// loadBadges reloads the badges if the counts of the work have changed. If that fails,
// the old badges stay.
func loadBadges(ctx context.Context, s *Site, st *api.Sync) {
	now := workCountsOf(st)
	if s.hasBadges(now) {
		return
	}

	fresh := &syncBadges{counts: now, documents: map[api.ID]string{}, balances: map[[2]api.ID]bool{}}
	if now != (workCounts{}) {
		limit := int64(maxBadgedWork)
		page, err := CallNode(ctx, s, api.ListWork, api.ListWorkInput{Limit: &limit})
		if err != nil {
			return
		}
		for i := range page.Items {
			fresh.add(&page.Items[i])
		}
	}

	s.setBadges(fresh)
}

// AlarmText says in one sentence what an alarm of a node is about.
func AlarmText(t *i18n.Translator, st *api.Sync, alarm api.SyncAlarm, now time.Time) string {
	switch alarm {
	case api.AlarmDecision:
		return t.Get("Decisions needed in Sync: %s.", t.Count(st.ToDecide()))
	case api.AlarmStuck:
		return t.Get("Entries without an answer: %s.", t.Count(st.Stuck))
	}

	if text := alarmTexts[alarm]; text != "" {
		return t.Get(text)
	}
	if st.Oldest != nil {
		return t.Get("Entries from %s have not synced yet.", t.TimeOrDay(*st.Oldest, now))
	}

	return t.Get("Some entries have been waiting to sync for a long time.")
}

// alarmTexts are the alarms without numbers.
var alarmTexts = i18n.Texts[api.SyncAlarm]{
	api.AlarmDisk:    "The disk does not accept new entries.",
	api.AlarmMirror:  "New entries have no second copy. Check the mirror's disk.",
	api.AlarmDamage:  "Some saved entries cannot be read.",
	api.AlarmCopy:    "This data directory is in use twice, so nothing is sent.",
	api.AlarmKey:     "The service rejected the key, so nothing is sent.",
	api.AlarmForeign: "Something else is answering for the service.",
	api.AlarmQuota:   "Monthly quota used up. Entries are saved and sync later.",
	api.AlarmClock:   "A clock differs from the service's.",
}

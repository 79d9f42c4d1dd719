package ledger

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"bincard/server/api"
	"bincard/server/store"
)

const (
	// maxTerminals is how many terminals of an organization and environment are kept, and
	// maxPresent how many works are listed.
	maxTerminals, maxPresent = 1000, 1000
)

// A terminalRow is what is open at a terminal.
type terminalRow struct {
	Name   string         `json:"name"`
	Open   []api.Presence `json:"open"`
	SeenAt time.Time      `json:"seenAt"`
}

// replaces reports whether an earlier row is of the same terminal, or of one that is gone.
func (r *terminalRow) replaces(before *terminalRow) bool {
	return before.Name == r.Name || r.SeenAt.Sub(before.SeenAt).Abs() >= api.PresenceLife
}

// isKept reports whether there is something to keep, and room for it beside other rows.
func (r *terminalRow) isKept(others []*terminalRow) bool {
	return len(r.Open) > 0 && len(others) < maxTerminals
}

// sharedTerminals has what is open at terminals where processes share a store.
var sharedTerminals = store.NewTable(store.Table[terminalRow]{
	Name:  "terminals",
	Key:   func(r *terminalRow) []byte { return []byte(r.Name) },
	Codec: store.JSON[terminalRow](),
})

// newTerminalRow returns what is open at a terminal, with the caller as the person where none
// is named.
func newTerminalRow(c *api.Caller, in *api.ListPresenceInput, now time.Time) (*terminalRow, error) {
	if err := api.Check(in); err != nil {
		return nil, err
	}

	row := &terminalRow{Name: in.Terminal, SeenAt: api.Instant(now)}
	row.Open, _ = in.Works() // checked
	for i := range row.Open {
		row.Open[i].Person = cmp.Or(row.Open[i].Person, c.KeyLabel, c.Actor.Label)
	}

	return row, nil
}

// present lists what is open at other terminals.
func (r *terminalRow) present(rows []*terminalRow) *api.Present {
	out := &api.Present{Items: []api.Presence{}}
	for _, other := range rows {
		if !r.replaces(other) {
			out.Items = append(out.Items, other.Open...)
		}
	}

	slices.SortFunc(out.Items, func(a, b api.Presence) int {
		return cmp.Or(cmp.Compare(a.Work, b.Work), cmp.Compare(a.Person, b.Person))
	})
	out.Items = out.Items[:min(len(out.Items), maxPresent)]

	return out
}

// Terminals are what is open at the terminals of organizations. The zero value is ready to use.
type Terminals struct {
	mu   sync.Mutex
	rows map[store.Partition][]*terminalRow
}

// Exchange saves what is open at the terminal that asks, and returns what is open at the others.
func (t *Terminals) Exchange(c *api.Caller, in *api.ListPresenceInput, now time.Time) (*api.Present, error) {
	row, err := newTerminalRow(c, in, now)
	if err != nil {
		return nil, err
	}

	t.mu.Lock()
	defer t.mu.Unlock()
	p := partition(c)
	rows := slices.DeleteFunc(t.rows[p], row.replaces)
	if row.isKept(rows) {
		rows = append(rows, row)
	}
	if t.rows == nil {
		t.rows = map[store.Partition][]*terminalRow{}
	}
	t.rows[p] = rows

	return row.present(rows), nil
}

func bindPresence(b map[string]binding) {
	reads[api.ListPresenceInput, api.Present](b, api.ListPresence, nil)
	handleWith(b, listPresence, api.ListPresence.Spec.ID)
}

// listPresence does not count as a request of the plan: terminals ask several times a minute.
func listPresence(ctx context.Context, l *Ledger, req *api.Request, _ binding) (res *api.Response, err error) {
	exchange, in := l.terminals.Exchange, req.Input.(*api.ListPresenceInput)
	if l.shared != nil {
		exchange = func(c *api.Caller, in *api.ListPresenceInput, now time.Time) (*api.Present, error) {
			return l.shareTerminal(ctx, c, in, now)
		}
	}

	out, err := exchange(req.Caller, in, l.now())
	if err != nil {
		return nil, toAPIError(ctx, err)
	}

	return &api.Response{Output: out}, nil
}

// shareTerminal is Terminals.Exchange where processes share a store.
func (l *Ledger) shareTerminal(
	ctx context.Context,
	c *api.Caller,
	in *api.ListPresenceInput,
	now time.Time,
) (*api.Present, error) {
	row, err := newTerminalRow(c, in, now)
	if err != nil {
		return nil, err
	}

	var rows []*terminalRow
	err = l.store.Update(ctx, partition(c), func(tx store.Tx) error {
		rows = nil
		err := sharedTerminals.Scan(tx, store.Range{}, func(r *terminalRow) error {
			found := *r
			rows = append(rows, &found)
			return nil
		})
		for _, r := range rows {
			if err == nil && row.replaces(r) {
				err = sharedTerminals.Delete(tx, []byte(r.Name))
			}
		}

		if err != nil || !row.isKept(rows) {
			return err
		}

		return sharedTerminals.Put(tx, row)
	})

	return row.present(rows), err
}

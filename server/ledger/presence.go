package ledger

import (
	"cmp"
	"context"
	"maps"
	"reflect"
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
	// presenceInterval is how often processes that share a store save that a terminal's work
	// is unchanged.
	presenceInterval = api.PresenceLife / 3
)

// A terminalRow is what is open at a terminal.
type terminalRow struct {
	Name   string         `json:"name"`
	Open   []api.Presence `json:"open"`
	SeenAt time.Time      `json:"seenAt"`
}

func (r *terminalRow) isGone(now time.Time) bool { return now.Sub(r.SeenAt).Abs() >= api.PresenceLife }

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
		if other.Name != r.Name && !other.isGone(r.SeenAt) {
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
	rows map[store.Partition]map[string]*terminalRow
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
	rows := t.rows[p]
	maps.DeleteFunc(rows, func(_ string, r *terminalRow) bool { return r.isGone(now) || r.Name == row.Name })
	if rows == nil {
		rows = map[string]*terminalRow{}
		if t.rows == nil {
			t.rows = map[store.Partition]map[string]*terminalRow{}
		}
		t.rows[p] = rows
	}

	if len(row.Open) > 0 && len(rows) < maxTerminals {
		rows[row.Name] = row
	}

	return row.present(slices.Collect(maps.Values(rows))), nil
}

func bindPresence(b map[string]binding) {
	reads[api.ListPresenceInput, api.Present](b, api.ListPresence, nil)
	handleWith(b, listPresence, api.ListPresence.Spec.ID)
}

// listPresence does not count as a request of the plan: terminals ask several times a minute.
func listPresence(ctx context.Context, l *Ledger, req *api.Request, _ binding) (*api.Response, error) {
	out, err := l.exchangePresence(ctx, req.Caller, req.Input.(*api.ListPresenceInput))
	if err != nil {
		return nil, toAPIError(ctx, err)
	}
	return &api.Response{Output: out}, nil
}

func (l *Ledger) exchangePresence(ctx context.Context, c *api.Caller, in *api.ListPresenceInput) (*api.Present, error) {
	if l.shared == nil {
		return l.terminals.Exchange(c, in, l.now())
	}

	row, err := newTerminalRow(c, in, l.now())
	if err != nil {
		return nil, err
	}

	rows, err := l.sharedTerminals(ctx, partition(c))
	if err != nil {
		return nil, err
	}

	before := slices.IndexFunc(rows, func(r *terminalRow) bool { return r.Name == row.Name })
	changed := before < 0 && len(row.Open) > 0 && len(rows) < maxTerminals ||
		before >= 0 && (!reflect.DeepEqual(rows[before].Open, row.Open) ||
			len(row.Open) > 0 && row.SeenAt.Sub(rows[before].SeenAt) >= presenceInterval)
	if changed {
		err = l.shareTerminal(ctx, partition(c), row, rows)
	}

	return row.present(rows), err
}

// sharedTerminals returns the rows of a partition, also those of terminals that are gone.
func (l *Ledger) sharedTerminals(ctx context.Context, p store.Partition) (rows []*terminalRow, err error) {
	err = l.store.View(ctx, p, func(r store.Reader) error {
		rows = nil
		return sharedTerminals.Scan(r, store.Range{}, func(row *terminalRow) error {
			found := *row
			rows = append(rows, &found)
			return nil
		})
	})
	return rows, err
}

// shareTerminal saves what is open at a terminal, and removes those that are gone.
func (l *Ledger) shareTerminal(ctx context.Context, p store.Partition, row *terminalRow, rows []*terminalRow) error {
	return l.store.Update(ctx, p, func(tx store.Tx) error {
		for _, r := range rows {
			if r.isGone(row.SeenAt) || r.Name == row.Name {
				if err := sharedTerminals.Delete(tx, []byte(r.Name)); err != nil {
					return err
				}
			}
		}

		if len(row.Open) == 0 {
			return nil
		}

		return sharedTerminals.Put(tx, row)
	})
}

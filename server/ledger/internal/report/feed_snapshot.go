package report

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/stored"
	"bincard/server/store"
	"bincard/server/store/wire"
)

// A snapshotCursor is a position in the snapshot: where the next page starts, and
// the epoch and sequence number that all pages share.
type replicaCursor struct {
	epoch [16]byte
	since uint64
	part  int
	after []byte
}

func (s *replicaCursor) String() string {
	b := append([]byte(nil), s.epoch[:]...)
	b = binary.AppendUvarint(b, s.since)
	b = binary.AppendUvarint(b, uint64(s.part))
	return base64.RawURLEncoding.EncodeToString(append(b, s.after...))
}

func parseSnapshotCursor(cursor string) (s replicaCursor, ok bool) {
	data, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil {
		return s, false
	}

	d := wire.Reader{Data: data}
	copy(s.epoch[:], d.Next(16))
	s.since = d.Uvarint()
	part := d.Uvarint()
	s.after = bytes.Clone(d.Data)
	if d.Bad || part > uint64(len(snapshotRanges)) || len(s.after) > store.MaxKey/2 {
		return s, false
	}

	s.part = int(part)

	return s, true
}

// snapshotBudget limits the rows that one page scans.
const snapshotBudget = 4 * stored.RowBudget

// Snapshot returns a page of the data that a replica starts with. Each page is
// read at its own sequence number; the changes after the first page's number
// include whatever earlier pages missed.
func (f *Feed) Snapshot(tx *stored.Tx, in *api.SnapshotInput) (*api.SnapshotPage, error) {
	latest, _, err := tx.Counter()
	if err != nil {
		return nil, err
	}

	epoch := f.epochID()
	epoch = journal.Derive(tx.Partition, "snapshot", epoch[:]) // a cursor is valid in its partition only
	at := replicaCursor{epoch: epoch, since: latest}
	if in.Cursor != "" {
		var ok bool
		// A cursor from before a restore is invalid: it may skip other rows.
		if at, ok = parseSnapshotCursor(in.Cursor); !ok || at.epoch != epoch || at.since > latest {
			return nil, stored.BadCursor(in.Cursor)
		}
	}

	hash, err := tx.HashAt(at.since)
	if err != nil {
		return nil, err
	}

	out := &api.SnapshotPage{Epoch: f.epoch(), Since: int64(at.since), Hash: hash.String(), Seq: int64(latest),
		Documents: []api.Document{}, Balances: []api.Stock{}}
	p := &replicaPage{tx: tx, out: out, cursor: at, limit: 500, locations: in.LocationIDs()}
	if in.Limit != nil {
		p.limit = int(*in.Limit)
	}

	return out, p.fill()
}

// A snapshotPage is a page being filled.
type replicaPage struct {
	tx      *stored.Tx
	out     *api.SnapshotPage
	cursor  replicaCursor
	limit   int
	scanned int
	full    bool

	locations stored.LocationSet
	lots      map[api.ID]bool // of the locations; nil until needed
}

func (p *replicaPage) fill() error {
	for p.cursor.part < len(snapshotRanges) && !p.full {
		if err := p.documents(&snapshotRanges[p.cursor.part]); err != nil {
			return err
		}
		if !p.full {
			p.cursor.part, p.cursor.after = p.cursor.part+1, nil
		}
	}

	if !p.full {
		if err := p.balances(); err != nil {
			return err
		}
	}

	if p.full {
		text := p.cursor.String()
		p.out.NextCursor = &text
	}

	return nil
}

// scanRow reports whether the page has room for another row, and counts it.
func (p *replicaPage) scanRow(key []byte) bool {
	if p.scanned == snapshotBudget || len(p.out.Documents)+len(p.out.Balances) >= p.limit {
		p.full = true
		return false
	}
	p.scanned++
	p.cursor.after = bytes.Clone(key)
	return true
}

func (p *replicaPage) documents(s *snapshotRange) error {
	if !p.tx.Caller.May(s.source.scope) {
		return nil
	}

	return s.scan(p.tx.Reader, p.cursor.after, func(key []byte, id api.ID, data []byte) error {
		if !p.scanRow(key) {
			return store.ErrStop
		}

		text, open, err := s.source.encode(p.tx, data)
		if err != nil || !open {
			return err
		}

		doc := api.Document{Kind: s.source.kind, ID: id, Data: text}
		if has, err := p.has(&doc); !has || err != nil {
			return err
		}

		p.out.Documents = append(p.out.Documents, doc)

		return nil
	})
}

// has reports whether a document belongs to the locations of the snapshot.
func (p *replicaPage) has(d *api.Document) (has bool, err error) {
	if len(p.locations) == 0 || d.Kind != api.DocLot {
		return p.locations.HasDocument(p.tx.Reader, d)
	}
	if p.lots == nil {
		p.lots, err = p.locations.Lots(p.tx)
	}
	return p.lots[d.ID], err
}

func (p *replicaPage) balances() error {
	span := store.Range{}
	if len(p.cursor.after) > 0 {
		span.From = append(bytes.Clone(p.cursor.after), 0)
	}

	return p.tx.Reader.Scan(stored.Balances.Name, span, func(key, _ []byte) error {
		if !p.scanRow(key) {
			return store.ErrStop
		}

		if len(p.locations) > 0 {
			if at, err := stored.BalanceKeys.Shared(p.tx.Reader, key); err != nil ||
				at != nil && !p.locations.Has(at.Location) {
				return err
			}
		}

		b, err := p.tx.MustBalance(api.ID(key))
		if err != nil {
			return err
		}

		row, err := stock(p.tx, b)
		p.out.Balances = append(p.out.Balances, row)

		return err
	})
}

// stock returns a balance with what a replica needs of it.
func stock(tx *stored.Tx, b *stored.Balance) (api.Stock, error) {
	out := api.Stock{
		Balance: tx.ShowCurrent(b),
		Seq:     int64(b.Last),
		Backed:  stored.Quantities(&b.HeldByDocuments),
		Lots:    []api.LotStock{},
		Pieces:  b.Serials,
	}

	lots, err := tx.LotBalancesOf(b.ID)
	for _, x := range lots {
		out.Lots = append(out.Lots, api.LotStock{LotID: x.Lot, Quantities: stored.Quantities(&x.Q)})
	}

	return out, err
}

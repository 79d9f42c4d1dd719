package audit

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"

	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/stored"
	"bincard/server/store"
)

// A Head is a journal entry of an organization in one environment, and its hash. Each
// entry has the hash of the one before it, so whoever kept a head can prove later that
// no entry up to it was changed or removed.
type Head struct {
	Organization api.ID          `json:"organizationId"`
	Environment  api.Environment `json:"environment"`
	Seq          int64           `json:"seq"`
	Hash         string          `json:"hash"`
	// From is the first entry that the hash covers: versions without hashes wrote the
	// ones before it.
	From int64 `json:"from"`
}

// String returns the head as people keep it.
func (h Head) String() string { return fmt.Sprintf("%d:%s", h.Seq, h.Hash) }

// A chain is the hashes of the journal so far.
type chain struct {
	seq  uint64 // of the last entry, 0 if none
	hash journal.Hash
	from uint64 // the first entry that hash covers
}

// checkChain checks that an entry has the hash of the one before it.
func (v *verification) checkChain(seq uint64, row []byte, e *journal.Entry) {
	last := v.chain
	v.chain = chain{seq: seq, hash: journal.HashOf(row), from: last.from}
	switch {
	case e.Previous == nil:
		v.chain.from = seq
	case last.seq != seq-1: // already reported
		v.chain.from = seq
	case !bytes.Equal(e.Previous, last.hash[:]) && seq == 1:
		v.reportFault("journal entry 1", "has the hash %x of an entry before it, which is missing", e.Previous)
	case !bytes.Equal(e.Previous, last.hash[:]):
		v.reportFault(fmt.Sprintf("journal entry %d", seq-1),
			"was changed or replaced: its hash is %s, but journal entry %d has %x", last.hash, seq, e.Previous)
	case seq == 1:
		v.chain.from = 1
	}
}

// checkHead checks the hash in the counter and adds the head to the result.
func (v *verification) checkHead() {
	if v.chain.seq == 0 {
		return
	}

	v.result.Heads = append(v.result.Heads, v.head(v.chain))
	usage, err := account.ReadUsage(v.Reader)
	if err != nil {
		return // already reported
	}
	if usage.HeadSeq == v.chain.seq && !bytes.Equal(usage.HeadHash, v.chain.hash[:]) {
		v.reportFault(fmt.Sprintf("journal entry %d", v.chain.seq),
			"was changed or replaced: its hash is %s, but the counter has %x", v.chain.hash, usage.HeadHash)
	}
}

func (v *verification) head(c chain) Head {
	return Head{Organization: v.Partition.Organization, Environment: api.Environment(v.Partition.Environment),
		Seq: int64(c.seq), Hash: c.hash.String(), From: int64(c.from)}
}

// HeadsAt returns the entry with a sequence number of each organization and environment
// that has one.
func HeadsAt(ctx context.Context, st store.Store, seq int64) ([]Head, error) {
	parts, err := st.Partitions(ctx)
	if err != nil {
		return nil, err
	}

	list := []Head{}
	for _, p := range parts {
		err := st.View(ctx, p, func(r store.Reader) error {
			h, err := headAt(&verification{Tx: &stored.Tx{Reader: r, Partition: p}}, seq)
			if h != nil {
				list = append(list, *h)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}

	return list, nil
}

// headAt returns an entry of one partition, or nil.
func headAt(v *verification, seq int64) (*Head, error) {
	var c chain
	span := store.Range{To: journal.SeqKey(uint64(seq) + 1), Reverse: true}
	err := v.Reader.Scan(journal.Entries.Name, span, func(key, row []byte) error {
		at := binary.BigEndian.Uint64(key)
		if c.seq == 0 {
			c = chain{seq: at, hash: journal.HashOf(row)}
		}

		e := new(journal.Entry)
		if err := journal.Entries.Codec.Decode(row, e); err != nil {
			return err
		}

		c.from = at
		if e.Previous == nil {
			return store.ErrStop
		}

		return nil
	})
	if err != nil || c.seq == 0 || c.seq != uint64(seq) {
		return nil, err
	}

	h := v.head(c)

	return &h, nil
}

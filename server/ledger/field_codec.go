package ledger

import (
	"encoding/binary"
	"errors"
	"time"

	"bincard/server/api"
)

// A fieldCodec writes a row field by field, or reads it: one list of fields says
// both, so that neither can forget what the other one knows. After the first
// fault it reads zeroes; fault and in.bad tell of it.
type fieldCodec struct {
	out      []byte
	in       rowReader
	decoding bool
	err      error // of what cannot be written
}

var errUnknownState = errors.New("unknown state")

func (f *fieldCodec) byte(b byte) byte {
	if f.decoding {
		return f.in.byte()
	}
	f.out = append(f.out, b)
	return b
}

func (f *fieldCodec) id(p *api.ID) {
	if f.decoding {
		copy(p[:], f.in.next(16))
		return
	}
	f.out = append(f.out, p[:]...)
}

// optionalID is an id that may be none.
func (f *fieldCodec) optionalID(p *api.ID) {
	if f.decoding {
		*p = f.in.id()
		return
	}
	f.out = appendID(f.out, *p)
}

func (f *fieldCodec) number(p *int64) {
	if f.decoding {
		*p = f.in.varint()
		return
	}
	f.out = binary.AppendVarint(f.out, *p)
}

func (f *fieldCodec) counter(p *uint64) {
	if f.decoding {
		*p = f.in.uvarint()
		return
	}
	f.out = binary.AppendUvarint(f.out, *p)
}

// count is the length of a list.
func (f *fieldCodec) count(n int) int {
	if f.decoding {
		return f.in.count()
	}
	f.out = binary.AppendUvarint(f.out, uint64(n))
	return n
}

func (f *fieldCodec) text(p *string) {
	if f.decoding {
		*p = string(f.in.text())
		return
	}
	f.out = appendText(f.out, *p)
}

func (f *fieldCodec) metadata(p *api.Metadata) {
	if f.decoding {
		*p = f.in.bytes()
		return
	}
	f.out = appendText(f.out, *p)
}

func (f *fieldCodec) actor(p *api.Actor) {
	if f.decoding {
		if a := f.in.actor(); a != nil {
			*p = *a
		}
		return
	}
	f.out = appendActor(f.out, p)
}

func (f *fieldCodec) optionalActor(p **api.Actor) {
	if f.decoding {
		*p = f.in.actor()
		return
	}
	f.out = appendActor(f.out, *p)
}

// instant is a time by the milliseconds since another one, which is less to
// write than its own; the zero time may be that one.
func (f *fieldCodec) instant(p *time.Time, since time.Time) {
	base := int64(0)
	if !since.IsZero() {
		base = since.UnixMilli()
	}
	if f.decoding {
		*p = time.UnixMilli(base + f.in.varint()).UTC()
		return
	}
	f.out = binary.AppendVarint(f.out, p.UnixMilli()-base)
}

// optionalInstants are times that may be none: a byte with a bit for each that is
// there, then those. There are at most eight.
func (f *fieldCodec) optionalInstants(since time.Time, list ...**time.Time) {
	var there byte
	for i, p := range list {
		if !f.decoding && *p != nil {
			there |= 1 << i
		}
	}
	there = f.byte(there)
	if there>>len(list) != 0 {
		f.in.bad = true
	}
	for i, p := range list {
		switch {
		case there&(1<<i) == 0:
			*p = nil
			continue
		case f.decoding:
			*p = new(time.Time)
		}
		f.instant(*p, since)
	}
}

// An enum is the words that a field can have; a row has their numbers. A
// new word goes to the end.
type enum[S ~string] []S

// index is where the word stands, -1 where it does not.
func (v enum[S]) index(word S) int {
	for i, w := range v {
		if w == word {
			return i
		}
	}
	return -1
}

func enumField[S ~string](f *fieldCodec, v enum[S], p *S) {
	if f.decoding {
		if n := int(f.in.byte()); n < len(v) {
			*p = v[n]
		} else {
			f.in.bad = true
		}
		return
	}
	n := v.index(*p)
	if n < 0 {
		f.err = errUnknownState
	}
	f.out = append(f.out, byte(n))
}

// prefix is what the keys of an index by the word begin with.
func (v enum[S]) prefix(word S) []byte { return []byte{byte(v.index(word))} }

// key sorts by the word, then by the counter.
func (v enum[S]) key(word S, seq uint64) []byte {
	return binary.BigEndian.AppendUint64(append(make([]byte, 0, 9), byte(v.index(word))), seq)
}

var (
	inboundStatuses = enum[api.InboundStatus]{api.InboundExpected, api.InboundPartiallyReceived, api.InboundReceived,
		api.InboundClosed, api.InboundCancelled}
	outboundStatuses = enum[api.OutboundStatus]{api.OutboundBackordered, api.OutboundPartiallyAllocated, api.OutboundAllocated,
		api.OutboundPartiallyPicked, api.OutboundPicked, api.OutboundPartiallyPacked, api.OutboundPacked,
		api.OutboundPartiallyFulfilled, api.OutboundFulfilled, api.OutboundCancelled}
	transferStatuses    = enum[api.TransferStatus]{api.TransferInTransit, api.TransferReceived, api.TransferCancelled, api.TransferClosed}
	reservationStatuses = enum[api.ReservationStatus]{api.ReservationPending, api.ReservationCommitted, api.ReservationReleased,
		api.ReservationExpired, api.ReservationCancelled}
	serialStatuses = enum[api.SerialStatus]{api.InStock, api.Picked, api.Packed, api.Consumed, api.WrittenOff, api.SerialArchived}
)

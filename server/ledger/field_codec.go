package ledger

import (
	"encoding/binary"
	"errors"
	"time"

	"bincard/server/api"
)

// A fieldCodec encodes a row field by field, or decodes it: one list of fields
// does both, so that they cannot differ. After the first error it decodes zero
// values; err and in.bad report the error.
type fieldCodec struct {
	out      []byte
	in       rowReader
	decoding bool
	err      error // a value that cannot be encoded
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

// optionalID codes an id that may be zero.
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

// count codes the length of a list.
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

// instant codes a time as milliseconds since another, which is shorter. since may
// be the zero time.
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

// optionalInstants codes up to eight times that may be nil: a bitmap of those that
// are set, then their values.
func (f *fieldCodec) optionalInstants(since time.Time, list ...**time.Time) {
	var set byte
	for i, p := range list {
		if !f.decoding && *p != nil {
			set |= 1 << i
		}
	}
	set = f.byte(set)
	if set>>len(list) != 0 {
		f.in.bad = true
	}
	for i, p := range list {
		switch {
		case set&(1<<i) == 0:
			*p = nil
			continue
		case f.decoding:
			*p = new(time.Time)
		}
		f.instant(*p, since)
	}
}

// An enum lists the values of a field; rows store the index. Append new values at
// the end.
type enum[S ~string] []S

// index returns the index of a value, or -1.
func (v enum[S]) index(value S) int {
	for i, x := range v {
		if x == value {
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

// prefix returns the key prefix of a value in an index.
func (v enum[S]) prefix(value S) []byte { return []byte{byte(v.index(value))} }

// key returns an index key that sorts by value, then by sequence number.
func (v enum[S]) key(value S, seq uint64) []byte {
	return binary.BigEndian.AppendUint64(append(make([]byte, 0, 9), byte(v.index(value))), seq)
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

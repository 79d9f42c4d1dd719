package journal

import (
	"encoding/binary"
	"errors"
	"time"

	"bincard/server/api"
	"bincard/server/store/wire"
)

// A FieldCodec encodes a row field by field, or decodes it: one list of fields
// does both, so that they cannot differ. After the first error it decodes zero
// values; err and in.bad report the error.
type FieldCodec struct {
	Out      []byte
	In       RowReader
	Decoding bool
	err      error // a value that cannot be encoded
}

var errUnknownState = errors.New("unknown state")

func (f *FieldCodec) byte(b byte) byte {
	if f.Decoding {
		return f.In.Byte()
	}
	f.Out = append(f.Out, b)
	return b
}

// ID codes an id.
func (f *FieldCodec) ID(p *api.ID) {
	if f.Decoding {
		copy(p[:], f.In.Next(16))
		return
	}
	f.Out = append(f.Out, p[:]...)
}

// OptionalID codes an id that may be zero.
func (f *FieldCodec) OptionalID(p *api.ID) {
	if f.Decoding {
		*p = f.In.id()
		return
	}
	f.Out = appendID(f.Out, *p)
}

// Number codes a quantity.
func (f *FieldCodec) Number(p *int64) {
	if f.Decoding {
		*p = f.In.Varint()
		return
	}
	f.Out = binary.AppendVarint(f.Out, *p)
}

// Counter codes a sequence number.
func (f *FieldCodec) Counter(p *uint64) {
	if f.Decoding {
		*p = f.In.Uvarint()
		return
	}
	f.Out = binary.AppendUvarint(f.Out, *p)
}

// Count codes the length of a list.
func (f *FieldCodec) Count(n int) int {
	if f.Decoding {
		return f.In.Count()
	}
	f.Out = binary.AppendUvarint(f.Out, uint64(n))
	return n
}

// Text codes a text.
func (f *FieldCodec) Text(p *string) {
	if f.Decoding {
		*p = string(f.In.Text())
		return
	}
	f.Out = wire.AppendText(f.Out, *p)
}

// Metadata codes metadata, which may be nil.
func (f *FieldCodec) Metadata(p *api.Metadata) {
	if f.Decoding {
		*p = f.In.bytes()
		return
	}
	f.Out = wire.AppendText(f.Out, *p)
}

// Actor codes an actor.
func (f *FieldCodec) Actor(p *api.Actor) {
	if f.Decoding {
		if a := f.In.actor(); a != nil {
			*p = *a
		}
		return
	}

	f.Out = appendActor(f.Out, p)
}

// OptionalActor codes an actor that may be nil.
func (f *FieldCodec) OptionalActor(p **api.Actor) {
	if f.Decoding {
		*p = f.In.actor()
		return
	}
	f.Out = appendActor(f.Out, *p)
}

// Instant codes a time as milliseconds since another, which is shorter. since may
// be the zero time.
func (f *FieldCodec) Instant(p *time.Time, since time.Time) {
	base := int64(0)
	if !since.IsZero() {
		base = since.UnixMilli()
	}
	if f.Decoding {
		*p = time.UnixMilli(base + f.In.Varint()).UTC()
		return
	}

	f.Out = binary.AppendVarint(f.Out, p.UnixMilli()-base)
}

// OptionalInstants codes up to eight times that may be nil: a bitmap of those that
// are set, then their values.
func (f *FieldCodec) OptionalInstants(since time.Time, list ...**time.Time) {
	var set byte
	for i, p := range list {
		if !f.Decoding && *p != nil {
			set |= 1 << i
		}
	}

	set = f.byte(set)
	if set>>len(list) != 0 {
		f.In.Fail()
	}

	for i, p := range list {
		switch {
		case set&(1<<i) == 0:
			*p = nil
			continue
		case f.Decoding:
			*p = new(time.Time)
		}

		f.Instant(*p, since)
	}
}

// An Enum lists the values of a field; rows store the index. Append new values at
// the end.
type Enum[S ~string] []S

// index returns the index of a value, or -1.
func (v Enum[S]) index(value S) int {
	for i, x := range v {
		if x == value {
			return i
		}
	}

	return -1
}

// EnumField codes a value of an enum.
func EnumField[S ~string](f *FieldCodec, v Enum[S], p *S) {
	if f.Decoding {
		if n := int(f.In.Byte()); n < len(v) {
			*p = v[n]
		} else {
			f.In.Fail()
		}

		return
	}

	n := v.index(*p)
	if n < 0 {
		f.err = errUnknownState
	}

	f.Out = append(f.Out, byte(n))
}

// Prefix returns the key prefix of a value in an index.
func (v Enum[S]) Prefix(value S) []byte { return []byte{byte(v.index(value))} }

// Key returns an index key that sorts by value, then by sequence number.
func (v Enum[S]) Key(value S, seq uint64) []byte {
	return binary.BigEndian.AppendUint64(append(make([]byte, 0, 9), byte(v.index(value))), seq)
}

var (
	InboundStatuses = Enum[api.InboundStatus]{api.InboundExpected, api.InboundPartiallyReceived, api.InboundReceived,
		api.InboundClosed, api.InboundCancelled}
	OutboundStatuses = Enum[api.OutboundStatus]{
		api.OutboundBackordered,
		api.OutboundPartiallyAllocated,
		api.OutboundAllocated,
		api.OutboundPartiallyPicked,
		api.OutboundPicked,
		api.OutboundPartiallyPacked,
		api.OutboundPacked,
		api.OutboundPartiallyFulfilled,
		api.OutboundFulfilled,
		api.OutboundCancelled,
	}
	TransferStatuses = Enum[api.TransferStatus]{
		api.TransferInTransit,
		api.TransferReceived,
		api.TransferCancelled,
		api.TransferClosed,
	}
	ReservationStatuses = Enum[api.ReservationStatus]{
		api.ReservationPending,
		api.ReservationCommitted,
		api.ReservationReleased,
		api.ReservationExpired,
		api.ReservationCancelled,
	}
	SerialStatuses = Enum[api.SerialStatus]{
		api.InStock,
		api.Picked,
		api.Packed,
		api.Consumed,
		api.WrittenOff,
		api.SerialArchived,
	}
)

package ledger

import (
	"bytes"
	"slices"

	"bincard/server/api"
	"bincard/server/store"
)

// A bucket is what a balance holds of one lot, by state. What is in no lot is
// the rest of the balance and has no row.
type bucket struct {
	bucketKey
	Q [8]int64

	unknown []byte // the fields that a newer version added
}

type bucketKey struct{ Balance, Lot api.ID }

var buckets = &store.Table[bucket]{
	Name:  "buckets",
	Key:   func(b *bucket) []byte { return join(b.Balance[:], b.Lot[:]) },
	Codec: bucketCodec{},
}

type bucketCodec struct{}

func (bucketCodec) Append(b []byte, v *bucket) ([]byte, error) {
	b = appendQuantities(append(append(b, v.Balance[:]...), v.Lot[:]...), &v.Q)
	return append(b, v.unknown...), nil
}

func (bucketCodec) Decode(data []byte, v *bucket) error {
	d := reader{data: data}
	copy(v.Balance[:], d.take(16))
	copy(v.Lot[:], d.take(16))
	d.quantities(&v.Q)
	var err error
	v.unknown, err = d.added()
	return err
}

// holds lists the buckets of a balance, in the order of their lots' ids.
func (rd *reading) holds(balance api.ID) (list []*bucket, err error) {
	err = buckets.Scan(rd.r, store.Prefix(balance[:]), func(b *bucket) error {
		list = append(list, b)
		return nil
	})
	return list, err
}

// held lists the buckets of a balance as the change has left them so far.
func (c *change) held(balance api.ID) ([]*bucket, error) {
	list, err := c.holds(balance)
	if err != nil {
		return nil, err
	}
	for i, b := range list {
		if staged := c.buckets[b.bucketKey]; staged != nil {
			list[i] = staged
		}
	}
	for key, b := range c.buckets {
		if key.Balance == balance && !slices.Contains(list, b) {
			list = append(list, b)
		}
	}
	slices.SortFunc(list, func(a, b *bucket) int { return bytes.Compare(a.Lot[:], b.Lot[:]) })
	return list, nil
}

// fill adds d to the state of a lot's bucket. Without a lot it holds that what
// is in no lot does not fall below zero. The balance has the new quantity already.
func (c *change) fill(b *balance, state int, lot api.ID, d int64) error {
	if lot == (api.ID{}) {
		if d >= 0 || !b.HasLots {
			return nil
		}
		list, err := c.held(b.ID)
		if err != nil {
			return err
		}
		loose := b.Q[state]
		for _, x := range list {
			loose -= x.Q[state]
		}
		if loose < 0 {
			return c.short(b, state, loose-d, -d)
		}
		return nil
	}
	x, err := c.bucket(bucketKey{b.ID, lot})
	if err != nil {
		return err
	}
	if x.Q[state]+d < 0 {
		return c.shortLot(b, state, lot, x.Q[state], -d)
	}
	x.Q[state] += d
	b.HasLots = true
	return nil
}

// bucket is the bucket within the change, as it stands or empty.
func (c *change) bucket(key bucketKey) (*bucket, error) {
	if b := c.buckets[key]; b != nil {
		return b, nil
	}
	b, err := buckets.Get(c.r, join(key.Balance[:], key.Lot[:]))
	if err != nil {
		return nil, err
	}
	if b == nil {
		b = &bucket{bucketKey: key}
	}
	if c.buckets == nil {
		c.buckets = map[bucketKey]*bucket{}
	}
	c.buckets[key] = b
	return b, nil
}

func (c *change) shortLot(b *balance, state int, lot api.ID, current, requested int64) error {
	code := lot.String()
	if l, _ := lots.Shared(c.r, lot[:]); l != nil {
		code = l.LotCode
	}
	s := api.States[state]
	return api.Fail(api.InsufficientStock,
		c.about(b, api.Details{"inventoryState": s, "current": current, "requested": requested, "lotId": lot, "lotCode": code}),
		"%s: of lot %s %s %s and %d were asked for. Ask for at most %d, or take another lot.",
		c.saying(b.key.place), code, are(current), s.Title(), requested, current)
}

// settleBuckets writes the buckets of the change; an empty one goes.
func (c *change) settleBuckets() error {
	for _, b := range c.buckets {
		var err error
		if b.Q == ([8]int64{}) {
			err = buckets.Delete(c.tx, join(b.Balance[:], b.Lot[:]))
		} else {
			err = buckets.Put(c.tx, b)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

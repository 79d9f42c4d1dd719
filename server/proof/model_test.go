package proof_test

import (
	"fmt"
	"maps"
	"slices"

	"github.com/anishathalye/porcupine"

	"bincard/server/api"
)

// An operation is the kind of a request.
type operation string

const (
	read    operation = "read"
	adjust  operation = "adjust"
	order   operation = "order"
	reserve operation = "reserve"
	release operation = "release"
)

// A request is a request of a client about one balance.
type request struct {
	operation   operation
	balance     int
	key         string // empty for a read
	quantity    int64
	reservation api.ID // of a release
}

// A response is what a client received.
type response struct {
	canceled    bool     // by the client, before it was performed
	rejected    api.Code // the error code, if any
	replayed    bool
	balance     balanceState
	allocated   bool   // an order was allocated
	reservation api.ID // created by a reserve
}

// A balanceState is a balance in a response.
type balanceState struct{ onHand, available, reserved, committed, version int64 }

// A balanceModel is the model of one balance. It is immutable.
type balanceModel struct {
	balanceState
	held map[api.ID]int64    // pending reservations
	done map[string]response // by key
}

// model is the expected behavior of a balance: one request at a time, each key once.
var model = porcupine.Model{
	Partition: byBalance,
	Init:      func() any { return balanceModel{} },
	Step: func(state, input, output any) (bool, any) {
		return state.(balanceModel).step(input.(request), output.(response))
	},
	Equal: func(a, b any) bool {
		x, y := a.(balanceModel), b.(balanceModel)
		return x.balanceState == y.balanceState && maps.Equal(x.held, y.held) && maps.Equal(x.done, y.done)
	},
	DescribeOperation: func(input, output any) string { return fmt.Sprintf("%+v: %+v", input, output) },
}

func byBalance(history []porcupine.Operation) [][]porcupine.Operation {
	parts := map[int][]porcupine.Operation{}
	for _, op := range history {
		i := op.Input.(request).balance
		parts[i] = append(parts[i], op)
	}
	return slices.Collect(maps.Values(parts))
}

// step reports whether out is a correct response to in, and returns the next state.
func (s balanceModel) step(in request, out response) (bool, any) {
	if in.operation == read {
		return out == response{balance: s.balanceState}, s
	}
	if first, replayed := s.done[in.key]; replayed {
		first.replayed = true
		return out == first, s
	}
	want, next := s.apply(in, out)
	if want.rejected == "" {
		if in.operation != order || want.allocated {
			next.version++
		}
		want.balance = next.balanceState
		next.done = with(s.done, in.key, want)
	}
	return out == want, next
}

// apply applies a request that has not been applied before.
func (s balanceModel) apply(in request, out response) (want response, next balanceModel) {
	next = s
	short := s.available < in.quantity
	switch in.operation {
	case adjust:
		if s.available+in.quantity < 0 {
			return response{rejected: api.InsufficientStock}, s
		}
		next.available += in.quantity
		next.onHand += in.quantity
	case order:
		if want.allocated = !short; short {
			return want, next
		}
		next.available -= in.quantity
		next.committed += in.quantity
	case reserve:
		if short {
			return response{rejected: api.InsufficientStock}, s
		}
		want.reservation = out.reservation // the ledger chooses the id
		next.available -= in.quantity
		next.reserved += in.quantity
		next.held = with(s.held, out.reservation, in.quantity)
	case release:
		q, pending := s.held[in.reservation]
		if !pending {
			return response{rejected: api.ReservationNotPending}, s
		}
		next.available += q
		next.reserved -= q
		next.held = maps.Clone(s.held)
		delete(next.held, in.reservation)
	}
	return want, next
}

// with returns a copy of m with one more entry.
func with[K comparable, V any](m map[K]V, key K, v V) map[K]V {
	m = maps.Clone(m)
	if m == nil {
		m = map[K]V{}
	}
	m[key] = v
	return m
}

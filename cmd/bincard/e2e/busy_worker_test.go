package e2e_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"time"

	"bincard/offline/outbox"
	"bincard/server/api"
)

// A busyWorker performs operations at a terminal of a site: the program of a device, or
// commands.
type busyWorker struct {
	d      *busyDay
	site   *busySite
	label  string
	svc    api.Service // nil for commands
	at     *machine
	more   []string // flags of the commands
	random *rand.Rand
	// reservations and transfers are those of the worker that can go on.
	reservations, transfers []openWork
}

// An openWork is a document that the worker has created.
type openWork struct {
	id   api.ID
	of   acceptedWork
	step int
}

func (d *busyDay) newWorker(s *busySite, label string, svc api.Service, at *machine) *busyWorker {
	seed := d.random.Uint64()
	return &busyWorker{d: d, site: s, label: label, svc: svc, at: at, random: rand.New(rand.NewPCG(seed, seed))}
}

// work performs operations until the day is over.
func (w *busyWorker) work() {
	for {
		n := w.d.begun.Add(1)
		if n > w.d.total || w.d.t.Failed() {
			return
		}
		work := &acceptedWork{site: w.site, key: fmt.Sprintf("%s-%s-%d", w.site.name, w.label, n),
			product: w.d.products[w.random.IntN(len(w.d.products))], location: w.d.c.main}
		if w.random.IntN(4) == 0 {
			work.location = w.d.c.store
		}
		if n%15 == 0 {
			work.key = fmt.Sprintf("night-%d", w.site.shared.Add(1))
		}
		if w.svc == nil {
			w.command(work)
		} else {
			w.operation(work)
		}
		pause(w.d.t.Context(), time.Duration(w.random.IntN(400))*time.Millisecond)
	}
}

// record records the result of an operation.
func (w *busyWorker) record(work *acceptedWork, accepted bool) {
	w.d.mu.Lock()
	defer w.d.mu.Unlock()
	if accepted {
		w.d.accepted = append(w.d.accepted, work)
	} else {
		w.d.rejected = append(w.d.rejected, work)
	}
}

// command runs an adjustment as a command. Some are killed and repeated.
func (w *busyWorker) command(work *acceptedWork) {
	work.operation, work.delta = api.AdjustStock.Spec.ID, int64(w.random.IntN(12)-6)
	if work.delta >= 0 {
		work.delta++
	}
	work.takes = max(0, -work.delta)
	at := "P-" + fmt.Sprint(indexOf(w.d.products, work.product)) + "@WH-1"
	if work.location == w.d.c.store {
		at = strings.Replace(at, "WH-1", "ST-1", 1)
	}
	args := append([]string{"adjust", "--key", work.key, "--reason", "counted", "--state", "onHand"}, w.more...)
	if w.random.IntN(3) == 0 {
		args = append(args, "--force")
	}
	args = append(args, "--", at, fmt.Sprintf("%+d", work.delta))
	for end := time.Now().Add(waitTimeout); ; {
		ctx, cancel := context.WithCancel(context.Background())
		if w.random.IntN(12) == 0 {
			w.d.programKills.Add(1)
			cancel()
			ctx, cancel = context.WithTimeout(context.Background(), time.Duration(10+w.random.IntN(80))*time.Millisecond)
		}
		cmd := exec.CommandContext(ctx, program(w.d.t), args...)
		cmd.Env = w.at.env
		out, _ := cmd.CombinedOutput()
		cancel()
		switch status := cmd.ProcessState.ExitCode(); {
		case status == 0:
			w.record(work, true)
			return
		case status == 1:
			work.answer = string(out)
			w.record(work, false)
			return
		case status == 2 || time.Now().After(end):
			w.d.t.Errorf("%v: status %d: %s", args, status, out)
			return
		}
	}
}

func indexOf(all []api.ID, id api.ID) int {
	for i := range all {
		if all[i] == id {
			return i
		}
	}
	return -1
}

// repeat performs an operation until its result is known, and reports whether the node
// accepted it.
func repeat[I, O any](w *busyWorker, work *acceptedWork, op api.Operation[I, O], in I) (out O, accepted bool) {
	work.operation = op.Spec.ID
	options := []api.Option{api.Key(work.key)}
	for end := time.Now().Add(waitTimeout); ; {
		out, err := op.Call(context.Background(), w.svc, in, options...)
		switch verdict := outbox.Classify(err, false); {
		case err == nil || api.HasCode(err, api.AtRisk):
			w.record(work, true)
			if w.random.IntN(20) == 0 { // the device repeats saved work
				if _, err := op.Call(context.Background(), w.svc, in, options...); outbox.Classify(err, false) == outbox.Rejected && !api.HasCode(err, api.AtRisk) {
					w.d.repeatsRejected.Add(1)
				}
			}
			return out, err == nil
		case verdict == outbox.Rejected && len(options) == 1 && w.random.IntN(3) == 0:
			options = append(options, api.AcceptRisk())
			continue
		case verdict == outbox.Rejected || verdict == outbox.Conflict && strings.HasPrefix(work.key, "night-"): // another site's
			work.answer = err.Error()
			w.record(work, false)
			return out, false
		case verdict == outbox.Denied || verdict == outbox.Conflict || time.Now().After(end):
			w.d.t.Errorf("%v: %v", work, err)
			return out, false
		}
		pause(w.d.t.Context(), 10*time.Millisecond)
	}
}

// operation performs a random operation through the API.
func (w *busyWorker) operation(work *acceptedWork) {
	stock, q := api.StockKey{ProductID: work.product, LocationID: work.location}, int64(1+w.random.IntN(6))
	switch w.random.IntN(10) {
	case 0, 1, 2:
		work.delta = q
		repeat(w, work, api.AdjustStock, api.AdjustStockInput{StockKey: stock, InventoryState: api.OnHand, QuantityDelta: q, Reason: "found"})
	case 3, 4:
		work.delta, work.takes = -q, q
		repeat(w, work, api.AdjustStock, api.AdjustStockInput{StockKey: stock, InventoryState: api.OnHand, QuantityDelta: -q, Reason: "broken"})
	case 5:
		work.takes = q
		repeat(w, work, api.MoveStock, api.MoveStockInput{StockKey: stock, Quantity: q, SourceState: "available", DestinationState: "damaged", Reason: "cracked"})
	case 6:
		i := w.random.IntN(len(w.d.inbounds))
		work.document = w.d.inbounds[i]
		work.product, work.location = w.d.products[i/2], []api.ID{w.d.c.main, w.d.c.store}[i%2]
		repeat(w, work, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: work.document, Quantity: q})
	case 7, 8:
		w.reserve(work, stock, q)
	case 9:
		w.transfer(work, q)
	}
}

// reserve creates a reservation, or commits or releases one.
func (w *busyWorker) reserve(work *acceptedWork, stock api.StockKey, q int64) {
	if len(w.reservations) < 2 {
		work.takes = q
		expires := time.Now().Add(48 * time.Hour).UTC().Truncate(time.Second)
		if out, ok := repeat(w, work, api.CreateReservation, api.CreateReservationInput{StockKey: stock, Quantity: q, ExpiresAt: &expires}); ok {
			w.reservations = append(w.reservations, openWork{id: out.Reservation.ID, of: *work})
		}
		return
	}
	r := &w.reservations[0]
	work.document, work.product, work.location = r.id, r.of.product, r.of.location
	if r.step++; r.step == 1 {
		repeat(w, work, api.CommitReservation, api.ReservationInput{ReservationID: r.id})
		return
	}
	w.reservations = w.reservations[1:]
	repeat(w, work, api.ReleaseReservation, api.ReservationInput{ReservationID: work.document})
}

// transfer creates a transfer to the store, or ships or receives one.
func (w *busyWorker) transfer(work *acceptedWork, q int64) {
	work.location = w.d.c.main
	if len(w.transfers) == 0 {
		work.takes = q
		if out, ok := repeat(w, work, api.CreateTransfer, api.CreateTransferInput{ProductID: work.product, SourceLocationID: w.d.c.main,
			DestinationLocationID: w.d.c.store, Quantity: q}); ok {
			w.transfers = append(w.transfers, openWork{id: out.Transfer.ID, of: *work})
		}
		return
	}
	r := &w.transfers[0]
	work.document, work.product = r.id, r.of.product
	if r.step++; r.step == 1 {
		work.takes = r.of.takes
		repeat(w, work, api.ShipTransfer, api.MoveTransferInput{TransferID: r.id})
		return
	}
	w.transfers = nil
	repeat(w, work, api.ReceiveTransfer, api.MoveTransferInput{TransferID: work.document})
}

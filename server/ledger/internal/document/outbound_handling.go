package document

import (
	"slices"

	"bincard/server/api"
	"bincard/server/ledger/internal/posting"
	"bincard/server/ledger/internal/stored"
)

// A handling is an allocate, pick, unpick, pack, ship or fulfill of an outbound: the lines it
// concerns, and the serials it names.
type handling struct {
	c        *posting.Tx
	doc      *stored.Outbound
	lines    []int
	named    []*stored.Serial
	lots     []namedLot
	quantity *int64
}

// readHandling reads the outbound, the lines that match the product, the line and the lot, and the
// named serials.
func readHandling(c *posting.Tx, in *api.HandleOutboundInput) (*handling, error) {
	doc, err := openOutbound(c, in.OutboundID)
	if err != nil {
		return nil, err
	}

	h := &handling{c: c, doc: doc, quantity: in.Quantity}
	for i := range doc.Lines {
		if stored.MatchesID(in.ProductID, doc.Lines[i].ProductID) && stored.MatchesID(in.LineID, doc.Lines[i].ID) {
			h.lines = append(h.lines, i)
		}
	}

	if len(h.lines) == 0 && in.LineID != api.NoID {
		return nil, stored.NotFound("line", "lineId", in.LineID)
	}
	if len(h.lines) == 0 {
		return nil, stored.NotFound("line for product", "productId", in.ProductID)
	}
	if in.LotID != api.NoID {
		if h.lines, err = linesOfLot(c, doc, h.lines, in.LotID); err != nil {
			return nil, err
		}
	}

	h.named, err = serialsOnLines(c, doc, h.lines, in.SerialChoice)

	return h, err
}

// run takes what is pending of each line through a step, and saves the document. nothing
// returns the error when nothing is pending.
func (h *handling) run(pending func(line int) int64, nothing func() error, step func(lineQuantity) error) error {
	tasks, err := planLines(h, pending)
	if err != nil {
		return err
	}
	if len(tasks) == 0 {
		return nothing()
	}
	for _, t := range tasks {
		if err := step(t); err != nil {
			return err
		}
	}

	return saveOutbound(h.c, h.doc)
}

// runStage is run for a stage that only takes what an earlier one has reached; lot may
// be zero. Another lot than the line holds is an error.
func (h *handling) runStage(s stage, lot api.ID, nothing func() error, step func(lineQuantity) error) error {
	pending := func(i int) int64 { return remaining(h.doc, []int{i}, s, lot) }
	return h.run(pending, func() error {
		if all := remaining(h.doc, h.lines, s, api.NoID); lot != api.NoID && all > 0 {
			return lotMismatch(h.c, h.doc, h.lines[0], lot, all)
		}
		return nothing()
	}, step)
}

// A namedLot is a quantity of a lot that a request names, besides its named serials, and
// the lines it may be for.
type namedLot struct {
	lot      api.ID
	quantity int64
	lines    []int
	swap     bool
}

// A lineQuantity is the part of an operation that concerns one line.
type lineQuantity struct {
	line    int
	q       int64
	serials []*stored.Serial
	lots    []posting.LotQuantity
	swaps   []api.ID // of lots: those that may replace picked stock
}

// maySwap reports whether a lot may replace picked stock of other lots.
func (t *lineQuantity) maySwap(lot api.ID) bool { return slices.Contains(t.swaps, lot) }

// named returns how much of the quantity is named by serial or lot.
func (t *lineQuantity) named() int64 { return int64(len(t.serials)) + posting.Total(t.lots) }

// quantityOf returns how much of a lot the task names.
func (t *lineQuantity) quantityOf(lot api.ID) int64 {
	for _, p := range t.lots {
		if p.Lot == lot {
			return p.Quantity
		}
	}

	return 0
}

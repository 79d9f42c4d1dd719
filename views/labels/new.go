package labels

import (
	"cmp"
	"context"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/label"
	"bincard/tui/label/printing"
	"bincard/views/count"
	"bincard/views/session"
)

// Labels of serial numbers and lots can be printed before the goods are received: the
// numbers are new ones of the terminal's patterns. Scanned at the receipt, they are received
// as those of any label.

// MakeSample returns the label of a new serial number or lot, with the pattern's number 0.
// The product is in Subject.
func MakeSample(
	ctx context.Context,
	site *session.Site,
	service *printing.Service,
	r Request,
) (none label.Label, err error) {
	t := site.T()
	pattern, err := service.Pattern(r.Kind)
	if err != nil {
		return none, err
	}

	item, err := r.item(ctx, site, r.Subject)
	if err != nil {
		return none, err
	}

	sample := pattern.Format(0, r.Now)
	if r.Kind == label.KindSerial {
		if item.Tracking != api.TrackSerial && item.Tracking != "" {
			return none, t.NewError("%s is not serialized.", item.SKU)
		}
		return OfSerial(*item, sample, r.Lot, r.Expires, r.Now), nil
	}

	if item.Tracking == api.TrackNone {
		return none, t.NewError("%s is not tracked by lot.", item.SKU)
	}

	return OfLot(*item, sample, r.Expires, r.Quantity, r.Now), nil
}

// TakeNumbers returns the labels of n new serial numbers, or n labels of one new lot, like a
// sample. Labels that are not printed then leave a gap in the numbers.
func TakeNumbers(
	ctx context.Context,
	site *session.Site,
	service *printing.Service,
	sample label.Label,
	n int,
) ([]printing.Copies, error) {
	numbers := 1
	if sample.Kind == label.KindSerial {
		numbers = n
	}

	taken, err := service.NextNumbers(ctx, sample.Kind, int64(numbers))
	if err != nil {
		return nil, err
	}
	if err := checkUnknown(ctx, site, sample, someOf(taken)); err != nil {
		return nil, err
	}
	if sample.Kind == label.KindLot {
		sample.Lot = taken[0]
		return []printing.Copies{{Label: sample, Count: n}}, nil
	}

	batch := make([]printing.Copies, n)
	for i := range batch {
		batch[i] = printing.Copies{Label: sample, Count: 1}
		batch[i].Label.Serial = taken[i]
	}

	return batch, nil
}

// maxChecked is how many new numbers the service is asked for, and checkWait how long.
const (
	maxChecked = 20
	checkWait  = 3 * time.Second
)

// someOf returns at most maxChecked of the numbers, among them the first and the last.
func someOf(numbers []string) []string {
	if len(numbers) <= maxChecked {
		return numbers
	}
	some := make([]string, maxChecked)
	for i := range some {
		some[i] = numbers[i*(len(numbers)-1)/(maxChecked-1)]
	}
	return some
}

// checkUnknown returns an error if the service knows a new number already: then the counter
// began again, as after the loss of its file, or another machine has the pattern.
func checkUnknown(ctx context.Context, site *session.Site, l label.Label, numbers []string) error {
	ctx, cancel := context.WithTimeout(ctx, checkWait)
	defer cancel()
	for _, number := range numbers {
		matches, err := site.Lookup(ctx, number)
		if err != nil {
			return nil //nolint:nilerr // without an answer, the counter has to be enough
		}

		for _, m := range matches {
			same := m.Serial != nil && l.Kind == label.KindSerial || m.Lot != nil && l.Kind == label.KindLot
			if same && (m.Product == nil || m.Product.SKU == l.SKU) {
				return site.T().NewError(
					"%s of %s exists already. Nothing was printed: change the pattern in labels.toml, or add {terminal} if other machines have it.",
					number,
					l.SKU,
				)
			}
		}
	}

	return nil
}

// NewNumbers returns the request for labels of new numbers of an item: serial numbers if it
// is tracked by them, else a lot. ok is false if it has neither, or the terminal no pattern.
func NewNumbers(site *session.Site, item count.Item, quantity int64) (r Request, ok bool) {
	service := site.Labels()
	if service == nil {
		return r, false
	}

	switch item.Tracking {
	case api.TrackSerial:
		r.Kind = label.KindSerial
	case api.TrackLot:
		r.Kind = label.KindLot
	default:
		return r, false
	}

	_, err := service.Pattern(r.Kind)
	if r.Subject, r.Next = item.SKU, true; r.Kind == label.KindSerial {
		r.Quantity = quantity
	}

	return r, err == nil
}

// NewNumbersAction returns the action that opens the screen for the labels of NewNumbers.
func NewNumbersAction(t *i18n.Translator, r Request) tui.Action {
	a := tui.Action{
		ID:       "labels.new",
		Label:    t.Get("print labels of new serial numbers"),
		NoFooter: true,
		Help:     t.Get("Print labels of new numbers, to scan when the goods are received"),
		Run:      tui.Opens(r.Route()),
	}

	if r.Kind == label.KindLot {
		a.Label = t.Get("print labels of a new lot")
	}

	return a
}

// NumbersText names the numbers of labels: the first and the last of several.
func NumbersText(t *i18n.Translator, batch []printing.Copies) string {
	number := func(l label.Label) string { return cmp.Or(l.Serial, l.Lot) }
	first, last := number(batch[0].Label), number(batch[len(batch)-1].Label)
	if first == last {
		return first
	}
	return t.Get("%s to %s", first, last)
}

package intake

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"bincard/server/api"
)

const (
	// maxSerialBytes limits the announced serial numbers of an inbound, whose metadata is
	// limited to 16 KiB.
	maxSerialBytes = 12 << 10
	// maxSerials is how many serial numbers can be received at once.
	maxSerials = 1000
)

// createSteps returns the steps that create the lines of a document that do not exist yet.
// existing is the number of the existing inbounds, outbounds or transfers.
func (c *checker) createSteps(
	d *document,
	digest string,
	existing int,
	have map[lineKey]*existingLine,
) (steps []step, err error) {
	if c.Kind == Outbounds {
		if existing > 0 {
			return nil, nil
		}
		s, err := c.outboundStep(d, digest)
		return []step{s}, err
	}

	number := map[lineKey]int{} // the same in every order of the lines
	for i, l := range d.sorted() {
		number[l.lineKey] = i + 1
	}

	for _, l := range d.lines {
		if is := have[l.lineKey]; is != nil && is.quantity >= l.quantity {
			continue
		}

		key := fmt.Sprintf("import-%s-%s-%d", c.Kind, digest, number[l.lineKey])
		a := api.Announced{
			Digest:    digest,
			DueDay:    d.dueDay,
			Line:      l.line,
			SSCC:      l.sscc,
			LotCode:   l.lot,
			BatchCode: l.batch,
			ExpiresAt: l.expires,
		}

		if c.Kind == Transfers {
			s, err := c.transferStep(d, l, &a, key)
			if err != nil {
				return nil, err
			}
			steps = append(steps, s)
			continue
		}

		for i, part := range parts(l) {
			a.SerialNumbers = part.serials
			s, err := c.inboundStep(d, l, &a, part.quantity, fmt.Sprintf("%s-%d", key, i+1))
			if err != nil {
				return nil, err
			}
			steps = append(steps, s)
		}
	}

	return steps, nil
}

// A linePart is the part of a line that is one inbound.
type linePart struct {
	quantity int64
	serials  []string
}

// parts divides a line whose serial numbers are too many for one inbound.
func parts(l *documentLine) (all []linePart) {
	if len(l.serials) == 0 {
		return []linePart{{l.quantity, nil}}
	}

	bytes := maxSerialBytes
	for _, serial := range slices.Sorted(slices.Values(l.serials)) {
		quoted, _ := jsontext.AppendQuote(nil, serial)
		size := len(quoted) + 1
		if bytes += size; bytes > maxSerialBytes || all[len(all)-1].quantity == maxSerials {
			all, bytes = append(all, linePart{}), size
		}
		last := &all[len(all)-1]
		last.quantity, last.serials = last.quantity+1, append(last.serials, serial)
	}

	return all
}

func (c *checker) inboundStep(
	d *document,
	l *documentLine,
	a *api.Announced,
	quantity int64,
	key string,
) (step, error) {
	m, err := a.Metadata()
	in := api.CreateInboundInput{
		StockKey: api.StockKey{
			ProductID:  l.product.ID,
			LocationID: d.location.ID,
			OwnerID:    idOf(d.owner),
			ChannelID:  idOf(d.channel),
		},
		ExpectedQuantity:  quantity,
		SupplierName:      d.party,
		SupplierReference: d.partyReference,
		InboundDetails:    d.details,
		ExternalOrderID:   d.order,
		ExpectedAt:        d.due,
		Metadata:          m,
		Reference:         api.Reference{ReferenceType: "purchase_order", ReferenceID: d.reference},
	}

	return newStep(api.CreateInbound, in, l.row, key), err
}

func (c *checker) transferStep(d *document, l *documentLine, a *api.Announced, key string) (step, error) {
	m, err := a.Metadata()
	in := api.CreateTransferInput{
		ProductID:             l.product.ID,
		SourceLocationID:      d.location.ID,
		DestinationLocationID: d.destination.ID,
		OwnerID:               idOf(d.owner),
		ChannelID:             idOf(d.channel),
		Quantity:              l.quantity,
		Metadata:              m,
		Reference:             api.Reference{ReferenceType: "transfer_order", ReferenceID: d.reference},
	}

	return newStep(api.CreateTransfer, in, l.row, key), err
}

func (c *checker) outboundStep(d *document, digest string) (step, error) {
	a := api.Announced{Digest: digest, DueDay: d.dueDay}
	in := api.CreateOutboundInput{
		LocationID:      d.location.ID,
		OwnerID:         idOf(d.owner),
		ChannelID:       idOf(d.channel),
		CustomerName:    d.party,
		ExternalOrderID: d.order,
		ExpectedShipAt:  d.due,
		Reference:       api.Reference{ReferenceType: "sales_order", ReferenceID: d.reference},
	}

	numbered := slices.ContainsFunc(d.lines, func(l *documentLine) bool { return l.line != "" })
	var stock []api.StockKey
	for _, l := range d.lines {
		in.Lines = append(in.Lines, api.OutboundLineInput{ProductID: l.product.ID, RequestedQuantity: l.quantity})
		stock = append(stock, api.StockKey{
			ProductID:  l.product.ID,
			LocationID: in.LocationID,
			OwnerID:    in.OwnerID,
			ChannelID:  in.ChannelID,
		})

		if numbered {
			a.Lines = append(a.Lines, l.line)
		}
	}

	var err error
	in.Metadata, err = a.Metadata()
	s := newStep(api.CreateOutbound, in, d.first, "import-outbounds-"+digest)
	s.stock, s.due = stock, time.Unix(math.MaxInt32, 0)
	if d.due != nil {
		s.due = *d.due
	}

	return s, err
}

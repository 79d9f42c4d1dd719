package intake

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"bincard/server/api"
)

// digest identifies the content of a document, whatever the order of its lines.
func (d *document) digest(kind Kind) string {
	type line struct {
		Key, Batch string
		Expires    *time.Time
		Quantity   int64
		Serials    []string
	}

	content := struct {
		Kind                                             Kind
		Reference, Location, Destination, Owner, Channel string
		Party, PartyReference, Order                     string
		Details                                          api.InboundDetails `json:",omitzero"`
		Due                                              *time.Time
		Lines                                            []line
	}{
		Kind:           kind,
		Reference:      d.reference,
		Location:       idOf(d.location).String(),
		Destination:    idOf(d.destination).String(),
		Owner:          idOf(d.owner).String(),
		Channel:        idOf(d.channel).String(),
		Party:          d.party,
		PartyReference: d.partyReference,
		Order:          d.order,
		Details:        d.details,
		Due:            d.due,
	}

	for _, l := range d.sorted() {
		content.Lines = append(content.Lines, line{
			fmt.Sprintf("%q", []string{l.product.ID.String(), l.line, l.sscc, l.lot}),
			l.batch,
			l.expires,
			l.quantity,
			slices.Sorted(slices.Values(l.serials)),
		})
	}

	data, err := json.Marshal(content)
	if err != nil {
		panic(err) // it has only texts and numbers
	}

	sum := sha256.Sum256(data)

	return hex.EncodeToString(sum[:16])
}

// sorted returns the lines in the order of their keys.
func (d *document) sorted() []*documentLine {
	return slices.SortedFunc(slices.Values(d.lines), func(a, b *documentLine) int { return a.compare(b.lineKey) })
}

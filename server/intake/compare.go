package intake

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"bincard/server/api"
	"bincard/server/sheet"
)

// A DocumentCount counts the documents of a table.
type DocumentCount struct {
	Total int `json:"total"`
	// New are to be created, some of them only in part, because an import was interrupted.
	New int `json:"new"`
	// Existing have the same content; Differ exist with another content.
	Existing int `json:"existing"`
	Differ   int `json:"differ"`
	// Known lists the first 200 documents that exist.
	Known []KnownDocument `json:"known,omitzero"`
}

// A KnownDocument is a document of a table that already exists.
type KnownDocument struct {
	Line      int    `json:"line"` // the first line in the table
	Reference string `json:"reference"`
	// Status is the status of all its lines, or mixed.
	Status string `json:"status"`
	// Quantity is what was expected, requested or to be transferred, Done what was received,
	// fulfilled or shipped of it.
	Quantity int64 `json:"quantity"`
	Done     int64 `json:"done"`
	// Differs says how it differs from the table, if it does.
	Differs string `json:"differs,omitzero"`
}

func (n *DocumentCount) addKnown(d *document, r *comparison, differs string) {
	if len(n.Known) < sheet.MaxProblems {
		n.Known = append(n.Known, KnownDocument{d.first, d.reference, r.status, r.quantity, r.done, differs})
	}
}

// mixedStatus is the status of a document whose lines have several.
const mixedStatus = "mixed"

// A comparison is the result of comparing a document with what exists.
type comparison struct {
	steps       []step // what creates the document, or the rest of it
	existing    int    // how many of its lines exist
	differences []string
	problems    []sheet.Problem

	status         string // of the existing document
	quantity, done int64
}

// compare compares a document with the existing ones that have its reference.
func (c *checker) compare(ctx context.Context, find *finder, d *document) (r comparison, err error) {
	lines, err := find.find(ctx, d.reference)
	if err != nil {
		return r, err
	}

	digest := d.digest(c.Kind)
	// A canceled document does not prevent a corrected one.
	lines = slices.DeleteFunc(lines, func(l existingLine) bool { return l.cancelled && l.digest != digest })
	have := map[lineKey]*existingLine{}
	same := true
	for i := range lines {
		l := &lines[i]
		r.quantity, r.done, same = r.quantity+l.quantity, r.done+l.done, same && l.digest == digest
		if r.status = cmp.Or(r.status, l.status); r.status != l.status {
			r.status = mixedStatus
		}
		if first := have[l.lineKey]; first != nil { // a line of many serial numbers
			first.quantity, first.serials = first.quantity+l.quantity, append(slices.Clip(first.serials), l.serials...)
		} else {
			have[l.lineKey] = l
		}
	}

	if len(lines) > 0 && !same {
		r.differences = d.differences(lines[0].header, have, c.Kind)
		return r, nil
	}
	if r.steps, err = c.createSteps(d, digest, len(lines), have); err != nil || len(r.steps) == 0 {
		return r, err
	}

	r.existing = len(have)
	r.problems, err = c.checkArrivals(ctx, d, have)

	return r, err
}

// differences says how an existing document differs from d. What d does not say does not
// differ.
func (d *document) differences(from header, have map[lineKey]*existingLine, kind Kind) (out []string) {
	differ := func(what, is, want string) {
		if want != "" && is != want {
			out = append(out, fmt.Sprintf("%s %s, in the file %s", what, cmp.Or(is, "none"), want))
		}
	}
	placeCode := func(what string, is, want *api.Place) {
		if want != nil && idOf(is) != want.ID {
			differ(what, idText(is), want.Code)
		}
	}
	names := map[Kind][4]string{Inbounds: {"location", "", "supplier", "expected"}, Outbounds: {"location", "", "customer", "to ship"}, Transfers: {"source", "destination", "", ""}}[kind]
	placeCode(names[0], from.location, d.location)
	placeCode(names[1], from.destination, d.destination)
	placeCode("owner", from.owner, d.owner)
	placeCode("channel", from.channel, d.channel)
	differ(names[2], from.party, d.party)
	differ("supplier reference", from.partyReference, d.partyReference)
	known := from.details.Details()
	for i, detail := range d.details.Details() {
		differ(detail.Name, *known[i].Text, *detail.Text)
	}

	differ("order", from.order, d.order)
	if d.due != nil && (from.due == nil || !from.due.Equal(*d.due)) {
		differ(names[3], formatDue(from.due), formatDue(d.due))
	}

	for _, l := range d.lines {
		switch is := have[l.lineKey]; {
		case is == nil:
			out = append(out, fmt.Sprintf("%s is only in the file (%d)", l.describe(), l.quantity))
		case is.quantity != l.quantity:
			out = append(out, fmt.Sprintf("%s has %d, in the file %d", l.describe(), is.quantity, l.quantity))
		case l.batch != "" && l.batch != is.batch:
			out = append(out,
				fmt.Sprintf("%s has batch %s, in the file %s", l.describe(), cmp.Or(is.batch, "none"), l.batch))
		case l.expires != nil && (is.expires == nil || !is.expires.Equal(*l.expires)):
			out = append(out,
				fmt.Sprintf("%s expires %s, in the file %s", l.describe(), formatDue(is.expires), formatDue(l.expires)))
		case len(l.serials) > 0 && !sameTexts(is.serials, l.serials):
			out = append(out, l.describe()+" has other serial numbers")
		}
	}

	var gone []string
	for key, is := range have {
		if d.byKey[key] == nil {
			gone = append(gone, fmt.Sprintf("%s is not in the file (%d)", is.describe(), is.quantity))
		}
	}

	slices.Sort(gone)

	return append(out, gone...)
}

func idText(p *api.Place) string {
	if p == nil {
		return ""
	}
	return cmp.Or(p.Code, p.ID.String())
}

// sameTexts reports whether two lists have the same texts in any order.
func sameTexts(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// checkArrivals checks the announced lots and serial numbers of the lines that do not exist
// yet against the ledger, which would otherwise reject them when they arrive.
func (c *checker) checkArrivals(
	ctx context.Context,
	d *document,
	have map[lineKey]*existingLine,
) (problems []sheet.Problem, err error) {
	bad := func(l *documentLine, column, text string) {
		problems = append(problems, sheet.Problem{Line: l.row, Column: column, Message: text})
	}
	for _, l := range d.lines {
		if have[l.lineKey] != nil {
			continue
		}

		if l.lot != "" {
			known, err := c.readLot(ctx, l.product, l.lot)
			if err != nil {
				return nil, err
			}
			if known != nil {
				if column, text := known.contradicts(l.lot, l.expires); text != "" {
					bad(l, column, text)
				}
			}
		}

		for _, serial := range l.serials {
			list, err := api.ListSerials.Call(ctx, c.svc,
				api.ListSerialsInput{ProductID: l.product.ID, SerialNumber: serial})
			if err != nil {
				return nil, err
			}
			if len(list.Items) > 0 {
				bad(l, "serials", api.Textf("%s of %s already exists (%v); check the label", serial, l.product.SKU,
					list.Items[0].Status))
			}
		}
	}

	return problems, nil
}

package session

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"bincard/server/api"
	"bincard/tui"
	"bincard/views/names"
)

const (
	maxFound   = 50 // of all kinds together
	maxOfAKind = 20
)

// Find returns what a text may mean, the best match first: products, locations,
// documents, lots and serials with the text in a name or number. It returns an error
// only if no list could be searched.
func (s *Site) Find(ctx context.Context, text string) ([]tui.Found, error) {
	text = strings.TrimSpace(text)
	in := &search{Site: s, text: strings.ToLower(text), filter: api.TextFilter{Query: text}}
	answered := false
	var failed error
	for _, kind := range []func(context.Context) error{in.products, in.locations, in.inbounds, in.transfers,
		in.outbounds, in.lots, in.serials} {
		switch err := kind(ctx); {
		case err == nil:
			answered = true
		case failed == nil:
			failed = err
		}
	}

	if !answered {
		return nil, failed
	}

	return in.best(), nil
}

// A search collects what it finds, with how well each matches: 0 is best.
type search struct {
	*Site
	text   string // in lower case
	filter api.TextFilter
	found  []ranked
}

type ranked struct {
	tui.Found
	rank int
}

// best returns the best matches.
func (in *search) best() []tui.Found {
	slices.SortStableFunc(in.found, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), strings.Compare(a.Label, b.Label))
	})
	out := make([]tui.Found, 0, maxFound)
	for _, f := range in.found[:min(len(in.found), maxFound)] {
		out = append(out, f.Found)
	}
	return out
}

// add adds a result if one of its names contains the text. Not every service filters its
// lists.
func (in *search) add(code, label, detail string, names ...string) {
	names = append(names, code)
	if slices.ContainsFunc(names, func(n string) bool { return strings.Contains(strings.ToLower(n), in.text) }) {
		in.found = append(in.found, ranked{tui.Found{Code: code, Label: label, Detail: detail}, in.rank(names)})
	}
}

// rank says how well the text matches: a whole name, the start of one, the start of a
// word, or anything else.
func (in *search) rank(names []string) int {
	best := 3
	for _, n := range names {
		n = strings.ToLower(n)
		switch {
		case n == in.text:
			return 0
		case strings.HasPrefix(n, in.text):
			best = min(best, 1)
		case strings.Contains(n, " "+in.text):
			best = min(best, 2)
		}
	}

	return best
}

// page returns the page that a search reads of a list.
func page() api.Page {
	limit := int64(maxOfAKind)
	return api.Page{Limit: &limit}
}

func (in *search) products(ctx context.Context) error {
	list, err := Call(ctx, in.Site, api.ListProducts, api.ListProductsInput{TextFilter: in.filter, Page: page()})
	for _, p := range list.Items {
		in.add(p.SKU, p.SKU+"  "+p.Name, in.T().Get("product"), append([]string{p.Name}, p.Barcodes...)...)
	}
	return err
}

func (in *search) locations(ctx context.Context) error {
	rows, err := in.Locations(ctx)
	for _, l := range rows {
		if strings.Contains(strings.ToLower(l.Code+" "+l.Name), in.text) {
			in.add(l.Code, l.Code+"  "+l.Name, in.T().Get("location"), l.Name)
		}
	}

	return err
}

func (in *search) inbounds(ctx context.Context) error {
	list, err := Call(ctx, in.Site, api.ListInbounds, api.ListInboundsInput{TextFilter: in.filter, Page: page()})
	for _, d := range list.Items {
		name := names.Inbound(&d)
		in.document(name, d.ID, &d, refSKU(d.Product)+"  "+d.SupplierName, in.T().Get("delivery"),
			names.Status(in.T(), d.Status), d.SupplierName)
	}

	return err
}

func (in *search) transfers(ctx context.Context) error {
	list, err := Call(ctx, in.Site, api.ListTransfers, api.ListTransfersInput{TextFilter: in.filter, Page: page()})
	for _, d := range list.Items {
		way := ""
		if d.SourceLocation != nil && d.DestinationLocation != nil {
			way = "  " + d.SourceLocation.Code + " → " + d.DestinationLocation.Code
		}
		in.document(names.Transfer(&d), d.ID, &d, refSKU(d.Product)+way, in.T().Get("transfer"),
			names.Status(in.T(), d.Status))
	}

	return err
}

func (in *search) outbounds(ctx context.Context) error {
	list, err := Call(ctx, in.Site, api.ListOutbounds, api.ListOutboundsInput{TextFilter: in.filter, Page: page()})
	for _, d := range list.Items {
		in.document(names.Outbound(&d), d.ID, &d, "  "+d.CustomerName, in.T().Get("order"),
			names.Status(in.T(), d.Status), d.CustomerName)
	}
	return err
}

// document adds a document. Its code is its name, or its ID if the name is made from it.
func (in *search) document(name string, id api.ID, doc api.StockDocument, facts, kind, status string,
	others ...string) {
	code := id.String()
	if slices.Contains(doc.References(), name) {
		code = name
	}
	in.add(code, strings.TrimSpace(name+facts), kind+", "+status, append(append(others, name), doc.References()...)...)
}

func (in *search) lots(ctx context.Context) error {
	list, err := Call(ctx, in.Site, api.ListLots, api.ListLotsInput{TextFilter: in.filter, Page: page()})
	for _, l := range list.Items {
		label := l.LotCode
		if l.ExpiresAt != nil {
			label += "  " + in.T().Get("expires") + " " + in.T().Date(*l.ExpiresAt)
		}
		in.add(l.LotCode, label, in.T().Get("lot"))
	}

	return err
}

func (in *search) serials(ctx context.Context) error {
	list, err := Call(ctx, in.Site, api.ListSerials, api.ListSerialsInput{TextFilter: in.filter, Page: page()})
	for _, n := range list.Items {
		in.add(n.SerialNumber, n.SerialNumber, in.T().Get("serial")+", "+names.Status(in.T(), n.Status))
	}
	return err
}

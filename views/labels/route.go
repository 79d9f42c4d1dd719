package labels

import (
	"net/url"
	"strconv"
	"time"

	"bincard/tui"
	"bincard/tui/label"
)

// The routes of the screens that print labels.
const (
	Pattern       = "label/{kind}/{subject}" // the label of a Request; see Route
	ReceivedRoute = "label/received"         // those of the last receipt
	QueueRoute    = "labels"                 // the label queue
)

// Route returns the route of the screen that prints the label of a request.
func (r Request) Route() string {
	query := url.Values{}
	set := func(name, value string) {
		if value != "" {
			query.Set(name, value)
		}
	}
	set("lot", r.Lot)
	set("sku", r.SKU)
	set("unit", r.Unit)
	if !r.Expires.IsZero() {
		set("expires", r.Expires.Format(time.DateOnly))
	}
	if r.Quantity > 0 {
		set("quantity", strconv.FormatInt(r.Quantity, 10))
	}
	if r.Next {
		set("next", "yes")
	}
	if r.New {
		set("new", "yes")
	}

	path := tui.Path("label", string(r.Kind), r.Subject)
	if len(query) > 0 {
		path += "?" + query.Encode()
	}

	return path
}

// RequestOf returns the request of a route. Values that are not valid are left out.
func RequestOf(route tui.Route, now time.Time) Request {
	q := route.Query
	r := Request{
		Kind:    label.Kind(route.Param("kind")),
		Subject: route.Param("subject"),
		Lot:     q.Get("lot"),
		SKU:     q.Get("sku"),
		Unit:    q.Get("unit"),
		New:     q.Get("new") != "",
		Next:    q.Get("next") != "",
		Now:     now,
	}

	r.Expires, _ = time.Parse(time.DateOnly, q.Get("expires"))
	r.Quantity, _ = strconv.ParseInt(q.Get("quantity"), 10, 64)

	return r
}

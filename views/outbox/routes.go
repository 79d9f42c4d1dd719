package outbox

import (
	"bincard/server/api"
	"bincard/tui"
)

// Route is the route of the list.
const Route = "sync"

func routeOf(key string, more ...string) string {
	return tui.Path(append([]string{Route, key}, more...)...)
}

// documentRoute returns the route of the document of w, or "" if it has none.
func documentRoute(w *api.Work) string {
	id := w.Stock.Document.String()
	if w.Stock.Document == api.NoID {
		return ""
	}

	switch w.Stock.Kind {
	case api.DocInbound:
		return tui.Path("receive", id)
	case api.DocTransfer:
		if spec := api.FindOperation(w.Operation); spec != nil && spec.AtDestination {
			return tui.Path("receive-transfer", id)
		}
		return tui.Path("ship", id)
	case api.DocOutbound:
		return tui.Path("fulfill", id)
	case api.DocReservation:
		return tui.Path("reservations", id)
	}

	return ""
}

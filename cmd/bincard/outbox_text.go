package main

import (
	"cmp"
	"fmt"
	"strings"

	"bincard/server/api"
)

// formatWork formats an operation as one line, with a second line for its error or risk.
func formatWork(w *api.Work) string {
	what := w.Operation
	if spec := api.FindOperation(w.Operation); spec != nil {
		what = spec.Summary
	}
	for _, part := range []string{w.Stock.Reference, w.Stock.SKU} {
		if part != "" {
			what += " " + part
		}
	}

	if w.Stock.Location != "" {
		what += " at " + w.Stock.Location
	}
	if w.Stock.Quantity != nil {
		what += fmt.Sprintf(": %d", *w.Stock.Quantity)
	}

	who := w.Operator
	if w.Device != "" && w.Device != who {
		who = strings.TrimSpace(who + " (" + w.Device + ")")
	}

	state := map[api.WorkState]string{api.WorkWaiting: "pending", api.WorkSent: "sent, no answer yet", api.WorkRefused: "failed", api.WorkHeld: "needs a decision"}[w.State]
	switch {
	case w.NotRecorded != nil:
		state = "pending, not in the service at " + w.NotRecorded.Local().Format("15:04")
	case w.Wait == api.WaitOtherSite:
		state = "waits for another site to send its work again"
	case state == "":
		state = string(w.State)
	}

	words := fmt.Sprintf("%s  %s  %s  %s (%s)  %s", w.Key, w.At.Local().Format("2006-01-02 15:04"), who, what, w.Target,
		state)
	switch {
	case w.Refusal != nil:
		words += "\n    " + w.Refusal.Message
		if w.Recorded != nil {
			words += "\n    recorded: " + formatRecord(w.Recorded)
		}
	case w.Risk != nil:
		words += "\n    at risk: " + w.Risk.Message
	}

	return words
}

// formatRecord formats work that the service recorded as one line.
func formatRecord(r *api.WorkRecord) string {
	what := r.Operation
	if spec := api.FindOperation(r.Operation); spec != nil {
		what = spec.Summary
	}
	for _, x := range r.Stock {
		what += fmt.Sprintf(", %s@%s %s %+d", cmp.Or(x.SKU, x.ProductID.String()),
			cmp.Or(x.Location, x.LocationID.String()), x.InventoryState, x.Quantity)
	}
	for _, who := range []string{r.Operator, r.Device, r.KeyLabel} {
		if who != "" {
			what += ", " + who
		}
	}

	return what + ", " + r.At.Local().Format("2006-01-02 15:04")
}

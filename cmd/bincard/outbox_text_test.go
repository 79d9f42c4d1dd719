package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

func TestFormatWork(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 20, 12, 0, 0, 0, time.Local)
	five := int64(5)
	for words, change := range map[string]func(*api.Work){
		"12:00  Ada (Scanner 3)  Adjust":             func(w *api.Work) { w.State = api.WorkWaiting },
		" MUG-W at WH-1: 5 (/stock/adjust)  pending": func(w *api.Work) { w.State = api.WorkWaiting },
		"waits for another site to send its work again": func(w *api.Work) {
			w.State, w.Wait = api.WorkSent, api.WaitOtherSite
		},
		"pending, not in the service at 12:00": func(w *api.Work) { w.State, w.NotRecorded = api.WorkSent, &at },
		"failed\n    Only 3.": func(w *api.Work) {
			w.State, w.Refusal = api.WorkRefused, &api.WorkRefusal{Message: "Only 3."}
		},
		"pending\n    at risk: Only 3.": func(w *api.Work) {
			w.State, w.Risk = api.WorkWaiting, &api.WorkRefusal{Message: "Only 3."}
		},
	} {
		w := &api.Work{Key: "k", At: at, Operator: "Ada", Device: "Scanner 3", Operation: api.AdjustStock.ID,
			Target: "/stock/adjust", Stock: api.WorkStock{SKU: "MUG-W", Location: "WH-1", Quantity: &five}}
		change(w)
		require.Contains(t, formatWork(w), words)
	}
}

package inbounds_test

import (
	"testing"
	"time"

	"bincard/server/api"
	"bincard/tui/tuitest"
	"bincard/views/viewtest"
)

func TestList_InAllSizes(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	d := h.Terminal(t, registry(h))
	d.Goldens("empty")
	h.Inbound("PO-2026-118", h.Oat, 240, 2*time.Hour)
	h.Inbound("PO-2026-090", h.Coffee, 1200, -20*time.Hour)
	h.Inbound("PO-2026-121", h.Camera, 3, 30*time.Hour)
	d.Key("ctrl+r")
	d.Goldens("list")
}

func TestList_PreviewsSelectedDelivery(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	d := h.Terminal(t, registry(h)).Size(200, 60)
	d.Lacks("│")
	h.Inbound("PO-2026-118", h.Oat, 240, 2*time.Hour)
	h.Inbound("PO-2026-118", h.Camera, 3, 2*time.Hour)
	h.Inbound("PO-2026-090", h.Coffee, 1200, -20*time.Hour)
	d.Key("ctrl+r", "down")
	tuitest.Golden(t, "list-200x60", d.Painted())
	d.Key("up").Sees("│ PO-2026-090", "COF-500").Lacks("│ PO-2026-118")
	d.Size(120, 40).Sees("│ PO-2026-090").Size(80, 24).Lacks("│")
}

func TestDetail_InAllSizes(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	in := h.Inbound("PO-2026-118", h.Oat, 240, 2*time.Hour)
	d := openAt(t, h, "PO-2026-118")
	d.Scan("]C1011400638133393817270331"+"10L41-Z").Type("96").Key("enter", "enter").Sees("Received 96")
	_ = in
	d.Scan("]C1011400638133393817270331" + "10L42-A").Scan("14006381333938").Scan("14006381333938")
	d.Type("48").Key("enter", "f4").Type("2").Key("enter")
	d.Goldens("inbound")
	d.Scan("SOY-1L")
	d.Goldens("wrong")
	d.Key("enter", "f7")
	d.Goldens("lot")
}

func TestNoAnswer_InAllSizes(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Inbound("PO-2026-118", h.Coffee, 240, 2*time.Hour)
	d := openAt(t, h, "PO-2026-118")
	h.Proxy.LoseAnswers(api.ReceiveInbound.Spec, 1)
	d.Type("240").Key("enter", "enter")
	d.Goldens("fault")
	d.Key("enter")
	d.Goldens("waiting")
	d.Key("enter").Advance(5 * time.Second)
	d.Goldens("received")
}

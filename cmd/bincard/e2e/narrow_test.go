package e2e_test

import (
	"testing"
)

// TestJobs_NarrowScreen checks that every job opens on the narrowest screen, 20x16, and
// shows its item and its prompt.
func TestJobs_NarrowScreen(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	s := h.openScreen(20, 16, "--data", c.dir, "--location", "WH-1")
	s.waitFor("scan or pick a job", "1 Receive", "4 Fulfill")
	for _, x := range []struct {
		code  string
		texts []string
	}{
		{"PO-1", []string{"Oat milk", "expected 24", "to go 24", "▸ scan or number", "esc"}},
		{"TR-1", []string{"White mug", "to go 10", "▸ scan or number", "esc"}},
		{"SO-1", []string{"Kitchen scale", "to go 1", "▸ scan", "esc"}},
		{"MUG-W", []string{"on hand 30", "= balance ✓", "esc"}},
	} {
		s.scan(x.code)
		if x.code == "MUG-W" { // an item offers several jobs; stock is the first
			s.waitFor("5 Stock", "0 Move")
			s.typeText("5")
		}
		s.waitFor(x.texts...)
		s.key("Escape")
		if x.code == "MUG-W" {
			s.waitFor("5 Stock")
			s.key("Escape")
		}
		s.waitFor("scan or pick a job")
	}
	s.scan("ST-1")
	s.waitFor("Location: ST-1")
	s.scan("TR-1")
	s.waitFor("White mug", "received 0", "▸", "esc")
	s.key("Escape")
	s.waitFor("scan or pick a job")
	for digit, texts := range map[string][]string{
		"1": {"No deliveries are"},
		"2": {"No transfers to"},
		"3": {"No transfers are"},
		"4": {"esc"},
		"5": {"No stock here", "esc"},
	} {
		s.key(digit)
		s.waitFor(texts...)
		s.key("Escape")
		s.waitFor("scan or pick a job")
	}
	s.key("C-q").requireExit(0)
}

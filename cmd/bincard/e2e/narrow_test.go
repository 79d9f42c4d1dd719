package e2e_test

import (
	"testing"
)

// TestEveryJobOpensOnAWrist opens the screens of the jobs on the smallest
// terminal there is: each shows what it is about and its one question.
func TestEveryJobOpensOnAWrist(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	s := h.openScreen(20, 16, "--data", c.dir, "--place", "WH-1")
	s.shows("scan or pick a job", "1 Receive", "4 Fulfill")
	for _, x := range []struct {
		code  string
		texts []string
	}{
		{"PO-1", []string{"Oat milk", "expected 24", "pending 24", "▸ scan or number", "esc"}},
		{"TR-1", []string{"White mug", "pending 10", "▸ scan or number", "esc"}},
		{"SO-1", []string{"Kitchen scale", "pending 1", "▸ scan", "esc"}},
		{"MUG-W", []string{"on hand 30", "= balance ✓", "esc"}},
	} {
		s.scan(x.code)
		if x.code == "MUG-W" { // goods lead to several jobs: the look at their stock is the first
			s.shows("What do you want to do?", "Stock of MUG-W")
			s.key("Enter")
		}
		s.shows(x.texts...)
		s.key("Escape")
		s.shows("scan or pick a job")
	}
	s.scan("ST-1")
	s.shows("Work at ST-1")
	s.scan("TR-1")
	s.shows("White mug", "received 0", "▸", "esc")
	s.key("Escape")
	s.shows("scan or pick a job")
	for digit, texts := range map[string][]string{
		"1": {"No deliveries are"},
		"2": {"No transfers to"},
		"3": {"No transfers are"},
		"4": {"esc"},
		"5": {"MUG-W", "esc"},
	} {
		s.key(digit)
		s.shows(texts...)
		s.key("Escape")
		s.shows("scan or pick a job")
	}
	s.key("C-q").requireExit(0)
}

package outbounds

import (
	"errors"
	"maps"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/go-json-experiment/json"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
)

// lotRefusal says what lot a line is packed or picked from if another one was scanned, and
// offers to swap it. What is booked next is fulfilled unless a key says otherwise.
func (s *screen) lotRefusal(err error) (text string, offers []tui.Action) {
	t, action := s.T, s.verb
	s.verb = fulfilling

	var e *api.Error
	if !errors.As(err, &e) || e.Code != api.LotMismatch || e.Details["allocated"] == nil {
		return "", nil
	}

	var details struct {
		LineID    string     `json:"lineId"`
		LotCode   string     `json:"lotCode"`
		ExpiresAt *time.Time `json:"expiresAt"`
		Available int64      `json:"available"`
		Requested int64      `json:"requested"`
		Allocated []struct {
			LotCode string `json:"lotCode"`
			Picked  int64  `json:"picked"`
			Packed  int64  `json:"packed"`
		} `json:"allocated"`
	}

	raw, err := json.Marshal(e.Details)
	if err != nil || json.Unmarshal(raw, &details) != nil {
		return "", nil
	}

	var packed, picked, allocated []string
	for _, l := range details.Allocated {
		switch code := widget.Clean(l.LotCode); {
		case l.Packed > 0:
			packed = append(packed, code)
		case l.Picked > 0:
			picked = append(picked, code)
		default:
			allocated = append(allocated, code)
		}
	}

	scanned := widget.Clean(details.LotCode)
	held := strings.Join(append(append(packed, picked...), allocated...), ", ")
	switch {
	case details.ExpiresAt != nil:
		return t.Get("Lot %s expired %s. The order is for lot %s: scan that one.", scanned,
			t.Date(*details.ExpiresAt), held), nil
	case details.Available < details.Requested:
		return t.Get("Lot %s has only %s available. The order is for lot %s: scan that one.", scanned,
			t.Count(details.Available), held), nil
	}

	switch {
	case len(packed) > 0:
		text = t.Get("Packed from lot %s, not %s. Press F8 to swap the lot.", strings.Join(packed, ", "), scanned)
	case len(picked) > 0:
		text = t.Get("Picked from lot %s, not %s. Press F8 to swap the lot.", strings.Join(picked, ", "), scanned)
	default:
		return "", nil
	}

	return text, []tui.Action{s.swapAction(details.LineID, action)}
}

// swapAction books the count again, with the scanned lot of a line in place of the
// picked one.
func (s *screen) swapAction(line string, action verb) tui.Action {
	swapped := s.swapped
	return s.swapScan(line, func() tea.Cmd {
		maps.Copy(s.swap, swapped)
		return s.bookAs(action)()
	})
}

// swapScan swaps the lot of a line in the next booking, and runs then.
func (s *screen) swapScan(line string, then func() tea.Cmd) tui.Action {
	t := s.T

	return tui.Action{ID: "fulfill.swap", Key: "f8", Label: t.Get("swap the lot"), Short: t.Get("swap"),
		Help: t.Get("Put the picked lot back and record the scanned one"), Run: func() tea.Cmd {
			if s.swap == nil {
				s.swap = map[string]bool{}
			}
			s.swap[line] = true
			return then()
		}}
}

package api

import (
	"time"

	"github.com/go-json-experiment/json"
)

// A Presence is work that somebody has open at a terminal, or has counted there and not sent.
type Presence struct {
	// Work is the work, such as receive/PO-77: the route of its screen in terminals.
	Work string `json:"work"`
	// Person is who does it; without one, the label of the key.
	Person string `json:"person,omitzero"`
	// Counted is the number of pieces counted and not sent.
	Counted int64 `json:"counted,omitzero"`
	// Since is when it was opened; omitted if it is not open.
	Since *time.Time `json:"since,omitzero"`
}

const (
	// MaxPresence is the maximum number of works of a terminal.
	MaxPresence = 20
	// PresenceLife is how long what a terminal has open is listed after it asked last.
	PresenceLife = 45 * time.Second
)

// ListPresenceInput says which terminal asks, and what is open there.
type ListPresenceInput struct {
	Terminal string `json:"-" query:"terminal" required:"true" doc:"random name of the terminal's session, whose own work is not listed"`
	Open     string `json:"-" query:"open" maxLength:"8000" doc:"what is open there, as a JSON list of up to 20 items like those of the answer; others see it for 45 seconds"`
}

// NewListPresenceInput returns the input of a terminal, with at most MaxPresence works.
func NewListPresenceInput(terminal string, open []Presence) (in ListPresenceInput) {
	in.Terminal = terminal
	if len(open) > 0 {
		text, _ := json.Marshal(open[:min(len(open), MaxPresence)]) // has only texts, numbers and times
		in.Open = string(text)
	}
	return in
}

// Works returns what is open at the terminal.
func (in *ListPresenceInput) Works() (list []Presence, err error) {
	if in.Open != "" {
		err = json.Unmarshal([]byte(in.Open), &list)
	}
	return list, err
}

func (in *ListPresenceInput) validate(p *Problems) {
	list, err := in.Works()
	switch {
	case err != nil:
		p.Add("open", "type", "must be a list as JSON: %v", err)
	case len(list) > MaxPresence:
		p.Add("open", "maxItems", "must have at most %d items", MaxPresence)
	}

	for _, w := range list {
		if !isLabel(w.Work) || w.Person != "" && !isLabel(w.Person) || w.Counted < 0 || w.Counted > MaxQuantity {
			p.Add("open", "items",
				"must have a work and a person of at most 255 printable characters, and a counted of 0 or more")
			return
		}
	}
}

// Present is what others have open.
type Present struct {
	// Items are up to 1,000 works, by work and person.
	Items []Presence `json:"items"`
}

// ListPresence tells the other terminals of the service what is open at one, and returns what
// is open there. The service keeps it in memory for PresenceLife; nothing depends on it.
var ListPresence = operation[ListPresenceInput, Present](Spec{
	ID: "listPresence", Method: "GET", Path: "/presence", Scope: InventoryRead,
	Discovery: true,
	Summary:   "List what others have open at terminals", Extension: true})

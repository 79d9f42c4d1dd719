package listscreen

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"bincard/server/api"
)

// A Preview is what is shown of a document beside a list.
type Preview struct {
	Title string
	Facts []PreviewFact
	// Numbers are the titles of the numbers of the lines.
	Numbers []string
	Lines   []PreviewLine
}

// A PreviewFact is a labeled text. One without a text is not shown.
type PreviewFact struct {
	Label, Text string
	Warn        bool
}

// A PreviewLine is one product of a document. Lot says from which lots it is taken.
type PreviewLine struct {
	ID             api.ID
	SKU, Name, Lot string
	Numbers        []int64 // as many as the document has titles
}

// PreviewLots holds what the lines of a document are taken from.
type PreviewLots map[api.ID]string

// SetLots sets the lots of the lines.
func (d *Preview) SetLots(lots PreviewLots) {
	for i := range d.Lines {
		d.Lines[i].Lot = lots[d.Lines[i].ID]
	}
}

// maxNotes limits the notes of a document.
const maxNotes = 5

// PreviewNotes returns the texts and numbers in the metadata of a document as facts, sorted by
// name.
func PreviewNotes(metadata api.Metadata) (facts []PreviewFact) {
	var values map[string]any
	decoder := json.NewDecoder(bytes.NewReader(metadata))
	decoder.UseNumber()
	if decoder.Decode(&values) != nil {
		return nil
	}

	for _, name := range slices.Sorted(maps.Keys(values)) {
		switch v := values[name].(type) {
		case string, json.Number:
			if text := strings.TrimSpace(fmt.Sprint(v)); text != "" && len(facts) < maxNotes {
				facts = append(facts, PreviewFact{Label: name, Text: text})
			}
		}
	}

	return facts
}

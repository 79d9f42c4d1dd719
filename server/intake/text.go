package intake

import (
	"fmt"
	"strings"

	"bincard/server/api"
)

// Notes name the sheets that were not read, and describe the documents that exist and are skipped or
// not open anymore.
func (p *Plan) Notes() (notes []string) {
	if other := p.table.OtherSheets; len(other) > 0 {
		notes = append(notes, api.Textf("only the sheet %s was read, not %s", p.table.Sheet, strings.Join(other, ", ")))
	}
	if p.Documents == nil {
		return notes
	}

	for _, d := range p.Documents.Known {
		switch {
		case d.Differs != "":
			notes = append(notes, api.Textf("line %d: skipped: %v", d.Line, d.Differs))
		case d.Done > 0 || d.Status == "cancelled" || d.Status == "closed":
			notes = append(
				notes,
				api.Textf("line %d: %s is already %v, %d of %d", d.Line, d.Reference, statusText(p.Kind, d.Status),
					d.Done, d.Quantity),
			)
		}
	}

	return notes
}

// Text describes the table of a plan, its documents that exist, and what is not imported.
func (p *Plan) Text(file string) string {
	var b strings.Builder
	for _, note := range p.Notes() {
		fmt.Fprintf(&b, "%s: %s\n", file, note)
	}

	n := p.Documents
	if n != nil {
		fmt.Fprintf(&b, "%s: %s of %s", file, plural(p.Lines, "line"),
			plural(n.Total, strings.TrimSuffix(string(p.Kind), "s")))
	} else {
		fmt.Fprintf(&b, "%s: %s of %s", file, plural(p.Lines, "line"), p.Kind)
	}

	if p.Format == Shopify {
		b.WriteString(" (Shopify's inventory export)")
	}
	if p.Skipped > 0 {
		fmt.Fprintf(&b, ", %d without a quantity", p.Skipped)
	}

	switch {
	case n != nil && n.Differ > 0 && n.Existing > 0:
		fmt.Fprintf(&b, ", %d already there, %d skipped", n.Existing, n.Differ)
	case n != nil && n.Differ > 0:
		fmt.Fprintf(&b, ", %d skipped", n.Differ)
	case n != nil && n.Existing > 0:
		fmt.Fprintf(&b, ", %d already there", n.Existing)
	case n == nil && p.Unchanged > 0:
		fmt.Fprintf(&b, ", %d already there", p.Unchanged)
	}

	return b.String()
}

// New returns how many lines, or documents, Apply creates.
func (p *Plan) New() int {
	if p.Documents != nil {
		return p.Documents.New
	}
	return p.stepCount - p.Changed
}

// ResultText describes the table and the outcome of Apply.
func (p *Plan) ResultText(file string, out Outcome) string {
	text := p.Text(file)
	switch {
	case p.Documents != nil:
		text += fmt.Sprintf(", %d imported", p.Documents.New)
	case out.Repeated > 0:
		text += fmt.Sprintf(", %d imported, %d already imported", out.Applied, out.Repeated)
	case p.Changed > 0:
		text += fmt.Sprintf(", %d imported, %d corrected", out.Applied-p.Changed, p.Changed)
	default:
		text += fmt.Sprintf(", %d imported", out.Applied)
	}

	return text + "."
}

// doneWord says what has been done with the quantity of a document.
var doneWord = map[Kind]string{Inbounds: "received", Outbounds: "fulfilled", Transfers: "shipped"}

// statusText spells a status in words: partiallyReceived is partially received.
func statusText(kind Kind, status string) string {
	if status == mixedStatus || status == string(api.TransferInTransit) {
		return "partially " + doneWord[kind]
	}

	var b strings.Builder
	for _, r := range strings.Replace(status, "cancelled", "canceled", 1) {
		if r >= 'A' && r <= 'Z' {
			b.WriteByte(' ')
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}

	return b.String()
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

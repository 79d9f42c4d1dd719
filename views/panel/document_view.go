package panel

import (
	"strings"

	"bincard/tui"
	"bincard/tui/widget"
)

// Title returns the job and the document: "Receive › PO-1".
func (d *DocumentScreen[T]) Title() string { return d.kind.Job + " › " + d.ShortTitle() }

// ShortTitle returns the display name of the document.
func (d *DocumentScreen[T]) ShortTitle() string {
	if d.Doc == nil {
		return d.ref()
	}
	return d.kind.Name(d.Doc)
}

// RetryActions returns the actions while the document is not loaded.
func (d *DocumentScreen[T]) RetryActions() []tui.Action {
	return []tui.Action{{ID: d.kind.Route + ".retry", Keys: []string{"enter"}, Label: d.T().Get("retry"), Run: d.Refresh}}
}

// LoadingView renders the screen while the document is not loaded.
func (d *DocumentScreen[T]) LoadingView(size tui.Size) string {
	return LoadingView(d.T(), d.Panel.Env.Theme, size, d.ShortTitle(), d.errText)
}

// Speech describes a document of one product in words.
func (d *DocumentScreen[T]) Speech(summary DocumentSummary) tui.Speech {
	if d.Doc == nil {
		return d.LoadingSpeech()
	}
	l := d.Panel.Line()
	facts := []string{strings.TrimSpace(l.Item.Title() + "  " + summary.SummaryText(d.T(), l.Pending))}
	about := l.Item.SKU
	for _, more := range []string{l.Item.PackText(d.T()), summary.Party, summary.When} {
		if more = strings.TrimSpace(widget.Clean(more)); more != "" {
			about += "  " + more
		}
	}
	return d.Panel.Frame().Speech(append(facts, about)...)
}

// LoadingSpeech describes the screen while the document is not loaded.
func (d *DocumentScreen[T]) LoadingSpeech() tui.Speech {
	if d.errText == "" {
		return tui.Speech{Facts: []string{d.T().Get("loading")}}
	}
	return tui.Speech{Facts: []string{d.errText}, Question: d.T().Get("retry or back")}
}

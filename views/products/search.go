package products

import (
	"slices"
	"strings"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/scan"
	"bincard/tui/widget"
	"bincard/views/listscreen"

	tea "github.com/charmbracelet/bubbletea"
)

// search is the typed search of the list. It filters the loaded products; if not all
// are loaded, the service searches.
type search struct {
	widget.Input
	screen     *listscreen.Screen
	query      string // sent to the service
	incomplete bool   // not all products are loaded
}

// Key handles a key and searches for the text.
func (s *search) Key(k tea.KeyMsg) tea.Cmd {
	s.Input.Key(k)
	return s.run()
}

func (s *search) run() tea.Cmd {
	s.screen.ApplyFilter()
	if !s.incomplete && s.query == "" {
		return nil
	}
	s.query = strings.TrimSpace(s.Value())
	return s.screen.Reload()
}

// clearAction returns the action that clears the search.
func (s *search) clearAction(t *i18n.Translator) tui.Action {
	return tui.Action{ID: "products.all", Key: "esc", Label: t.Get("clear search"), Short: t.Get("clear"),
		Help: t.Get("Clear the search"), Run: func() tea.Cmd {
			s.Set("")
			return s.run()
		}}
}

// loaded records whether all products are loaded.
func (s *search) loaded() {
	if s.query == "" {
		s.incomplete = s.screen.More
	}
}

// matches reports whether a product contains every typed word.
func (s *search) matches(p *api.Product) bool {
	text := strings.ToLower(p.SKU + " " + p.Name + " " + strings.Join(p.Barcodes, " "))
	return !slices.ContainsFunc(strings.Fields(strings.ToLower(s.Value())),
		func(word string) bool { return !strings.Contains(text, word) })
}

// open opens the selected product. If none matches, it looks up the typed text like a
// scan.
func (s *search) open() tea.Cmd {
	if p, ok := listscreen.Selected[api.Product](s.screen); ok {
		return openProduct(&p)
	}
	return s.screen.LookUp(scan.Parse(strings.TrimSpace(s.Value()), s.screen.Env.Now()))
}

package stock

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/panel"
	"bincard/views/session"
)

// countSeveral is the screen that collects the products to count at a location.
type countSeveral struct {
	tui.Env
	site    *session.Site
	draft   severalDraft
	input   widget.Question
	list    widget.List[severalItem]
	finding bool
}

// severalDraft is the draft of a countSeveral.
type severalDraft struct {
	Name  string        `json:"name,omitempty"` // for the list of unsent drafts
	Items []severalItem `json:"items,omitempty"`
}

type severalItem struct {
	SKU  string `json:"sku"`
	Name string `json:"itemName,omitempty"`
}

// severalMsg carries the products that a scan or a typed text names.
type severalMsg struct {
	found []severalItem
	err   error
}

// CountSeveral returns the factory of the screen that collects the products to count at the
// location of the route.
func CountSeveral(site *session.Site) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		s := &countSeveral{site: site, Env: env}
		if raw, ok := env.Draft(); ok {
			_ = json.Unmarshal(raw, &s.draft) // a damaged draft is an empty list
		}

		s.list = widget.NewList(func(x severalItem) string { return x.SKU },
			widget.Column[severalItem]{
				Title: site.T().Get("product"),
				Width: 10,
				Cell:  func(x severalItem) string { return x.SKU },
			},
			widget.Column[severalItem]{
				Title: site.T().Get("name"),
				Rank:  1,
				Cell:  func(x severalItem) string { return x.Name },
			})

		s.list.SetRows(s.draft.Items)

		return s, nil
	}
}

func (s *countSeveral) location() string { return s.Route.Param("location") }

func (s *countSeveral) Init(tui.Env) tea.Cmd { return nil }

func (s *countSeveral) Title() string {
	return s.T.Get("Count › %s", s.T.Get("several products at %s", s.location()))
}

func (s *countSeveral) ShortTitle() string { return s.T.Get("Count several") }

// Busy reports whether a scan is being looked up; the next scan waits.
func (s *countSeveral) Busy() bool { return s.finding }

func (s *countSeveral) AcceptsKey(k tea.KeyMsg) bool { return s.input.AcceptsKey(k) }

// Snapshot returns the list, to be continued later.
func (s *countSeveral) Snapshot() []byte {
	if len(s.draft.Items) == 0 {
		return nil
	}
	s.draft.Name = s.Title()
	out, _ := json.Marshal(s.draft)
	return out
}

func (s *countSeveral) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case severalMsg:
		s.finding = false
		return s, s.productsFound(msg)
	case tea.KeyMsg:
		if !s.input.AcceptsKey(msg) {
			s.list.Key(msg)
		} else if text, done := s.input.Key(msg); done {
			return s, s.find(count.ParseLabel(s.T, scan.Parse(text, s.Now())), text)
		}
	}

	return s, nil
}

func (s *countSeveral) OnScan(x scan.Scan) tea.Cmd {
	return s.find(count.ParseLabel(s.T, x), "")
}

// find looks up a label, or else the words of a typed text.
func (s *countSeveral) find(r count.Label, text string) tea.Cmd {
	s.finding = true

	return s.Do(func(ctx context.Context) tea.Msg {
		item, err := s.site.FindItem(ctx, r)
		if err == nil {
			return severalMsg{found: []severalItem{{item.SKU, item.Name}}}
		}

		var unknown *session.UnknownItemError
		if text == "" || !errors.As(err, &unknown) {
			return severalMsg{err: err}
		}

		limit := int64(20)
		page, listErr := session.Call(ctx, s.site, api.ListProducts, api.ListProductsInput{
			TextFilter: api.TextFilter{Query: strings.TrimSpace(text)},
			Page:       api.Page{Limit: &limit},
		})
		if listErr != nil || len(page.Items) == 0 {
			return severalMsg{err: err}
		}

		m := severalMsg{}
		for _, p := range page.Items {
			m.found = append(m.found, severalItem{p.SKU, p.Name})
		}

		slices.SortFunc(m.found, func(a, b severalItem) int { return strings.Compare(a.SKU, b.SKU) })

		return m
	})
}

// productsFound adds the product that was found, or asks which one.
func (s *countSeveral) productsFound(m severalMsg) tea.Cmd {
	switch {
	case m.err != nil:
		return panel.FailScan(s.site, m.err)
	case len(m.found) == 1:
		return s.add(m.found[0])
	}

	var options []string
	for _, x := range m.found {
		options = append(options, x.SKU+"  "+x.Name)
	}

	return tui.Choose(tui.Choice{
		Text:     s.T.Get("Which product?"),
		Options:  options,
		OnChoice: func(i int) tea.Cmd { return s.add(m.found[i]) },
	})
}

func (s *countSeveral) add(x severalItem) tea.Cmd {
	t := s.T
	switch {
	case slices.ContainsFunc(s.draft.Items, func(y severalItem) bool { return y.SKU == x.SKU }):
		s.list.Select(x.SKU)
		return tui.Accept(tui.Toast(t.Get("%s is in the list already", x.SKU)))
	case len(s.draft.Items) == session.MaxCountProducts:
		return tui.Fail(t.NewError(
			"%s was not added: the list has %s products, the most that can be counted at once. Start the count.", x.SKU,
			t.Count(session.MaxCountProducts)))
	}

	s.setItems(append(s.draft.Items, x))
	s.list.MoveTo(len(s.draft.Items) - 1)

	return tui.Accept(tui.Toast(t.Get("%s added", x.SKU)))
}

func (s *countSeveral) setItems(items []severalItem) {
	s.draft.Items = items
	s.list.SetRows(items)
}

func (s *countSeveral) Actions() []tui.Action {
	t := s.T
	empty := func() string {
		if len(s.draft.Items) == 0 {
			return t.Get("No product is in the list yet. Scan one.")
		}
		return ""
	}

	return []tui.Action{
		{
			ID:       "several.start",
			Key:      "enter",
			Command:  tui.DoConfirm,
			Label:    t.Get("start the count"),
			Short:    t.GetC("start", "count"),
			Help:     t.Get("Count the products in the list"),
			Disabled: empty,
			Run:      s.start,
		},
		{
			ID:       "several.remove",
			Key:      "f8",
			Label:    t.GetC("remove", "list"),
			Help:     t.Get("Remove the selected product from the list"),
			Disabled: empty,
			Run: func() tea.Cmd {
				s.setItems(slices.Delete(slices.Clone(s.draft.Items), s.list.Cursor(), s.list.Cursor()+1))
				return nil
			},
		}}
}

// start opens the count of the list, which has a draft of its own.
func (s *countSeveral) start() tea.Cmd {
	var skus []string
	for _, x := range s.draft.Items {
		skus = append(skus, x.SKU)
	}
	slices.Sort(skus)
	s.setItems(nil)
	return tui.Replace(session.CountRoute(s.location(), skus...))
}

func (s *countSeveral) View(size tui.Size) string {
	t := s.T
	s.input.Ask = t.Get("Scan the products to count, or type a code or name")
	if size.Small() {
		s.input.Ask = t.Get("scan or type")
	}
	s.list.EmptyText = t.Get("No product is in the list yet. Scan one.")
	s.list.NoTitles = size.Class == tui.Short
	return s.input.View(s.Theme, size.Width-1) + "\n" + s.list.View(s.Theme, size.Width, max(1, size.Height-1))
}

// Speech describes the list in words.
func (s *countSeveral) Speech() tui.Speech {
	t := s.T

	return tui.Speech{
		Facts:    []string{t.Get("%s products", t.Count(int64(len(s.draft.Items)))) + "  " + s.location()},
		Question: t.Get("scan or type"),
		Enter:    true,
		Search:   true,
		List: &tui.Listing{
			Len:    len(s.draft.Items),
			Noun:   t.Get("products"),
			Line:   func(i int) string { return s.draft.Items[i].SKU + "  " + s.draft.Items[i].Name },
			Select: s.list.MoveTo,
		},
	}
}

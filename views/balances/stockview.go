package balances

import (
	"slices"
	"strings"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/listscreen"
	"bincard/views/names"
	"bincard/views/stocktext"

	tea "github.com/charmbracelet/bubbletea"
)

func (s *stock) Actions() []tui.Action {
	t := s.T

	noSelection := func() string {
		if s.pages.List.Len() == 0 {
			return t.Get("No item is selected")
		}
		return ""
	}

	here := s.site.Location()
	locationLabel, locationShort := t.Get("only %s", here.Code), t.Get("here")
	if s.location != nil {
		locationLabel, locationShort = t.Get("all locations"), t.Get("all")
	}

	emptyLabel, emptyShort := t.Get("hide empty"), t.GetC("hide 0", "empty")
	if s.inStock {
		emptyLabel, emptyShort = t.Get("show empty"), t.GetC("zeros", "empty")
	}

	filter := tui.Action{
		ID:    "stock.low",
		Key:   "f3",
		Label: t.Get("low"),
		Help:  t.Get("Low stock: available quantity below the reorder point"),
		Run:   tui.Opens("low"),
	}

	if s.product != nil {
		filter = tui.Action{
			ID:    "stock.all",
			Key:   "f3",
			Label: t.Get("all products"),
			Short: t.Get("products"),
			Help:  t.Get("Show all products in stock here again"),
			Run:   func() tea.Cmd { s.reset(); return s.reload() },
		}
	}

	return append([]tui.Action{
		{
			ID:       "stock.explain",
			Key:      "enter",
			Label:    t.Get("explain"),
			Help:     t.Get("Explain this balance"),
			Disabled: noSelection,
			Run:      s.open,
		},
		filter,
		{
			ID:    "stock.filled",
			Key:   "f4",
			Label: emptyLabel,
			Short: emptyShort,
			Help:  t.Get("Show or hide items with nothing on hand"),
			Run:   func() tea.Cmd { s.inStock = !s.inStock; return s.reload() },
		},
		{
			ID:    "stock.location",
			Key:   "f6",
			Label: locationLabel,
			Short: locationShort,
			Help:  t.Get("Show this location only, or all"),
			Disabled: func() string {
				if s.location == nil && !here.IsSet() {
					return t.Get("No location chosen. Scan one.")
				}
				return ""
			},
			Run: s.toggleLocation,
		},
		{
			ID:       "stock.refresh",
			Key:      "f5",
			Label:    t.Get("refresh"),
			Help:     t.Get("Load the latest data"),
			NoFooter: s.pages.Err() == nil,
			Run:      s.pages.Retry,
		},
		{
			ID:    "stock.expiring",
			Key:   "f7",
			Label: t.Get("expiring"),
			Short: t.Get("expiry"),
			Help:  t.Get("Expiring lots, earliest first"),
			Run:   tui.Opens("expiring"),
		},
		{
			ID:       "stock.copy",
			Key:      "ctrl+y",
			Label:    t.Get("copy row"),
			Help:     t.Get("Copy the selected row"),
			NoFooter: true,
			Disabled: noSelection,
			Run:      s.copyRow,
		},
	}, append(s.sortAction(), s.countAction())...)
}

func (s *stock) reload() tea.Cmd {
	s.rows = nil
	s.pages.Clear()
	return s.load()
}

func (s *stock) toggleLocation() tea.Cmd {
	if s.location != nil {
		s.location = nil
	} else {
		here := s.site.Location()
		s.location = &api.PlaceRef{ID: here.ID, Code: here.Code, Name: here.Name}
	}

	return s.reload()
}

// columns returns the columns of the balances for a size.
func (s *stock) columns(size tui.Size) []widget.Column[any] {
	type col = widget.Column[*api.SnapshotRow]
	number := func(state api.State, title string, width, rank int) col {
		width = max(width, s.digits, widget.Width(title))

		return col{
			Title:  title,
			Width:  width,
			Rank:   rank,
			Sort:   string(state),
			Number: func(r *api.SnapshotRow) int64 { return r.Of(state) },
			Muted:  func(r *api.SnapshotRow) bool { return r.Of(state) == 0 },
		}
	}

	sku := col{
		Title: s.T.Get("product"),
		Sort:  "product",
		Cell:  func(r *api.SnapshotRow) string { return r.ProductSKU },
	}
	location := col{
		Title: s.T.Get("loc"),
		Width: 6,
		Rank:  3,
		Sort:  "location",
		Cell:  func(r *api.SnapshotRow) string { return r.LocationCode },
	}

	if size.Small() {
		location.Rank = 1
		available := number(api.Available, "", 6, 0)
		available.Title = names.ShortState(s.T, api.Available)
		return widget.BoxedColumns([]col{sku, location, available}, s.T.Count)
	}

	sku.Width = 10
	location.Title, location.Width = s.T.Get("location"), 8
	name := col{
		Title: s.T.Get("name"),
		Rank:  1,
		Sort:  "name",
		Cell:  func(r *api.SnapshotRow) string { return r.ProductName },
	}

	where := []col{location}
	if s.shelved {
		where = append(where, col{
			Title: s.T.Get("shelf"),
			Width: 8,
			Rank:  3,
			Cell:  func(r *api.SnapshotRow) string { return r.Shelf },
		})
	}

	if size.Class == tui.Standard { // short titles leave room for the name
		return widget.BoxedColumns(
			slices.Concat([]col{sku, name}, where, []col{
				number(api.OnHand, s.T.Get("on hand"), 7, 2),
				number(api.Available, s.T.Get("avail"), 6, 0),
				number(api.Reserved, s.T.Get("res"), 6, 4),
				number(api.Committed, s.T.Get("com"), 6, 5),
			}),
			s.T.Count,
		)
	}

	return widget.BoxedColumns(slices.Concat([]col{sku, name}, where, []col{
		number(api.OnHand, s.T.Get("on hand"), 7, 2),
		number(api.Available, names.ShortState(s.T, api.Available), 9, 0),
		number(api.Reserved, names.ShortState(s.T, api.Reserved), 8, 4),
		number(api.Committed, names.ShortState(s.T, api.Committed), 9, 5),
		number(api.Incoming, names.ShortState(s.T, api.Incoming), 8, 6),
		number(api.Damaged, names.ShortState(s.T, api.Damaged), 7, 7),
		number(api.QualityControl, names.ShortState(s.T, api.QualityControl), 7, 8),
		number(api.SafetyStock, names.ShortState(s.T, api.SafetyStock), 7, 9),
	}), s.T.Count)
}

func (s *stock) View(size tui.Size) string {
	t, width := s.Theme, size.Width
	s.pages.List.Columns = s.columns(size)
	if s.pages.Complete() {
		s.sorter.Mark(s.pages.List.Columns)
	}

	s.pages.List.EmptyText = s.emptyText()
	status := s.pages.Status(t, max(10, width/2))
	s.question.Ask = s.T.Get("Scan a product or location, or type to search")
	if size.Small() {
		s.question.Ask = s.T.Get("scan or type")
	}

	ask := s.question.View(t, width)
	lines := []string{ask}
	if size.Small() {
		if s.pages.List.NoTitles = size.Class == tui.Short; s.pages.List.NoTitles && s.question.Value() == "" {
			lines[0] = widget.Between(ask, t.Muted.Render(names.ShortState(s.T, api.Available)), width)
			if text := s.expired.text(s.T, true); text != "" {
				lines[0] = widget.Between(ask, t.Warn(text), width)
			}
		}

		if s.pages.Err() != nil || s.pages.Loading() {
			lines = append(lines, s.pages.Status(t, width))
		}

		s.top = len(lines)

		return strings.Join(append(lines, s.smallRows(t, size, size.Height-len(lines))...), "\n")
	}

	s.pages.List.NoTitles = false
	if s.pages.Err() != nil {
		lines = append(lines, " "+s.pages.Status(t, width-1))
	} else {
		lines[0] = widget.Between(ask, status, width-1)
	}

	s.top = len(lines)
	room := size.Height - len(lines) - 3
	warning := ""
	if text := s.expired.text(s.T, false); text != "" {
		warning = " " + t.Warn(text)
	}

	lines = append(lines, s.pages.List.View(t, width, room), warning)
	if r, ok := s.pages.List.Selected().(*api.SnapshotRow); ok {
		lines = append(lines, " "+stocktext.Equation(s.T, t, r.Quantities, width-2),
			" "+stocktext.Bar(t, r.Quantities, width-2))
	}

	return strings.Join(lines, "\n")
}

// smallRows draws the list in height lines. On a narrow screen the last two name the
// selected balance.
func (s *stock) smallRows(t widget.Theme, size tui.Size, height int) []string {
	r, ok := s.pages.List.Selected().(*api.SnapshotRow)
	if size.Class != tui.Narrow || !ok || height < 7 {
		return []string{s.pages.List.View(t, size.Width, height)}
	}

	detail := listscreen.JoinParts(r.LocationCode, r.Shelf, r.ProductName, s.T.Get("on hand %s", s.T.Count(r.OnHand)))
	if text := s.expired.text(s.T, true); text != "" {
		detail = listscreen.JoinParts(r.LocationCode, text, s.T.Get("on hand %s", s.T.Count(r.OnHand)))
	}

	return append([]string{s.pages.List.View(t, size.Width, height-2)},
		listscreen.DetailLines(t, size.Width, 2, detail)...)
}

// emptyText explains an empty list.
func (s *stock) emptyText() string {
	t := s.T

	switch {
	case s.pages.Loading() && !s.pages.Loaded():
		return ""
	case s.pages.Err() != nil:
		return t.Get("Stock could not be loaded.")
	case s.question.Value() != "" && !s.pages.Complete():
		return t.Get("No match yet. Still searching.")
	case s.question.Value() != "":
		switch {
		case s.location != nil:
			return t.Get("No match at %s. F6 searches all locations.", s.location.Code)
		case s.inStock:
			return t.Get("No match in stock. F4 searches empty balances too.")
		}

		return t.Get("No match. Shorten the search, or press esc.")

	case s.product != nil && s.location == nil:
		return t.Get("Never stocked at any location. Press F3 to show all products.")
	case s.product != nil:
		return t.Get("Never stocked here. Press F3 to show all products.")
	case s.location != nil && s.inStock:
		return t.Get("No stock here. Show all locations (F6) or empty balances (F4).")
	case s.location != nil:
		return t.Get("No balances here. Show all locations (F6).")
	case s.inStock:
		return t.Get("No stock. Show empty balances (F4).")
	}

	return t.Get("No stock yet. Receive a delivery to see it here.")
}

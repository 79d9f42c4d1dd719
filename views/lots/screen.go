package lots

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/widget"
	"bincard/views/dock"
	"bincard/views/export"
	"bincard/views/reports/paging"

	tea "github.com/charmbracelet/bubbletea"
)

// Trace makes the factory of the trace of a lot. The route names it by its id or
// by its code.
func Trace(site *dock.Site) tui.Factory { return factory(site, false, "lot") }

// Serial makes the factory of the history of a piece, named by its id or by its
// serial number.
func Serial(site *dock.Site) tui.Factory { return factory(site, true, "serial") }

func factory(site *dock.Site, piece bool, param string) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		s := &screen{site: site, text: env.Route.Param(param), source: &source{site: site, piece: piece}, parties: map[string]string{},
			pages: paging.New("movements", "movements", func(m api.Movement) string { return m.ID.String() })}
		s.steps = widget.NewList(func(x step) string { return x.id })
		party := func(p Party) string { return p.Document + p.Op + p.Place }
		s.from, s.gone = widget.NewList(party), widget.NewList(party)
		s.here = widget.NewList(func(h api.LotHolding) string { return h.BalanceID.String() })
		return s, nil
	}
}

// tab is what of a lot is shown.
type tab int

const (
	tabSteps tab = iota
	tabFrom
	tabHere
	tabGone
)

// tabs are the names of the tabs in their order.
func tabs() []string { return []string{tabOfSteps, tabOfFrom, tabOfHere, tabOfGone} }

// screen is the trace of a lot, or the history of a piece.
type screen struct {
	env     tui.Env
	site    *dock.Site
	text    string // what the route names
	source  *source
	pages   *paging.Pages[api.Movement]
	head    *subject
	tab     tab
	newest  bool // first
	books   account
	steps   widget.List[step]
	from    widget.List[Party]
	here    widget.List[api.LotHolding]
	gone    widget.List[Party]
	parties map[string]string // suppliers and customers by route
	asking  bool              // for parties
	desk    export.Desk
	lost    error
	finding bool
	top     int
}

type (
	candidatesMsg struct {
		list []candidate
		err  error
	}
	partiesMsg map[string]string
	foundMsg   struct {
		targets []dock.Target
		err     error
	}
)

func (s *screen) Init(env tui.Env) tea.Cmd {
	s.env = env
	s.desk.Open(env, s.site)
	return s.look()
}

func (s *screen) look() tea.Cmd {
	s.lost = nil
	source, text := s.source, s.text
	return s.env.Latest("subject", func(ctx context.Context) tea.Msg {
		list, err := source.find(ctx, text)
		return candidatesMsg{list, err}
	})
}

// chosen goes on with what was found, or asks which of several.
func (s *screen) chosen(m candidatesMsg) tea.Cmd {
	read := func(c candidate) tea.Cmd {
		s.source.id = c.id
		return s.pages.Load(s.env, s.source.fetch)
	}
	switch {
	case m.err != nil:
		s.lost = m.err
		return tui.Bell(2)
	case len(m.list) == 1:
		return read(m.list[0])
	}
	options := make([]string, len(m.list))
	for i, c := range m.list {
		options[i] = c.name
	}
	ask := askWhichLot
	if s.source.piece {
		ask = askWhichPiece
	}
	return tui.Choose(tui.Choice{Text: fmt.Sprintf(ask, s.text), Options: options, OnChoice: func(i int) tea.Cmd { return read(m.list[i]) }})
}

func (s *screen) Refresh() tea.Cmd {
	if s.head == nil {
		return nil
	}
	return s.pages.Fresh()
}

func (s *screen) Busy() bool               { return s.finding }
func (s *screen) CanLeave() (bool, string) { return s.desk.CanLeave() }

func (s *screen) Title() string {
	kind := "Trace"
	if s.source.piece {
		kind = "Piece"
	}
	title := kind + " › " + s.name()
	if s.head != nil && s.head.product != nil {
		title += " › " + s.head.product.SKU + " " + s.head.product.Name
	}
	return widget.Clean(title)
}

// ShortTitle is the lot's code or the piece's number.
func (s *screen) ShortTitle() string { return widget.Clean(s.name()) }

func (s *screen) name() string {
	switch {
	case s.head == nil && len(s.text) == 36:
		return "…"
	case s.head == nil:
		return s.text
	case s.head.serial != nil:
		return s.head.serial.SerialNumber
	}
	return s.head.lot.LotCode
}

// OnScan goes to whatever was scanned.
func (s *screen) OnScan(got scan.Scan) tea.Cmd {
	s.finding = true
	r := dock.Read(got)
	return s.env.Do(func(ctx context.Context) tea.Msg {
		targets, err := s.site.Resolve(ctx, r)
		return foundMsg{targets, err}
	})
}

func (s *screen) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		s.key(msg)
		return s, nil
	case tea.MouseMsg:
		if msg.Action == tea.MouseActionPress && msg.Button == tea.MouseButtonLeft {
			s.click(msg.Y - s.top)
		}
		return s, nil
	case candidatesMsg:
		return s, s.chosen(msg)
	case partiesMsg:
		s.asking = false
		for route, name := range msg {
			s.parties[route] = name
		}
		s.fill()
		return s, s.ask()
	case foundMsg:
		s.finding = false
		if msg.err != nil {
			return s, tui.Fail(errors.New(dock.Words(msg.err)))
		}
		return s, dock.Follow(s.site, msg.targets)
	}
	if cmd, mine := s.desk.Take(msg); mine {
		return s, cmd
	}
	if !s.pages.Take(msg) {
		return s, nil
	}
	if s.pages.Err() != nil {
		return s, tui.Bell(2)
	}
	s.head = s.source.last()
	s.books = accounts(s.pages.List.Rows())
	s.fill()
	if !s.pages.Complete() {
		return s, s.pages.More() // the sums are of all steps
	}
	return s, s.ask()
}

// fill puts what was read on the lists.
func (s *screen) fill() {
	list := steps(s.pages.List.Rows())
	if s.newest {
		slices.Reverse(list)
	}
	s.steps.SetRows(list)
	if s.head != nil {
		s.here.SetRows(s.head.holdings)
	}
	s.from.SetRows(s.named(s.books.from))
	s.gone.SetRows(s.named(s.books.gone))
}

// named are parties with who they are, the last ones first.
func (s *screen) named(list []Party) []Party {
	out := slices.Clone(list)
	slices.Reverse(out)
	for i := range out {
		out[i].Party = s.parties[out[i].Route]
	}
	return out
}

// ask reads who is behind documents, some at a time.
func (s *screen) ask() tea.Cmd {
	if s.asking || s.source.piece {
		return nil
	}
	var some []Party
	for _, p := range append(slices.Clone(s.books.gone), s.books.from...) {
		if _, known := s.parties[p.Route]; !known && p.Route != "" && len(some) < 10 {
			some = append(some, p)
		}
	}
	if len(some) == 0 {
		return nil
	}
	s.asking = true
	site := s.site
	return s.env.Latest("parties", func(ctx context.Context) tea.Msg { return partiesMsg(parties(ctx, site, some)) })
}

func (s *screen) key(k tea.KeyMsg) {
	switch {
	case k.Type == tea.KeyLeft:
		s.turn(-1)
	case k.Type == tea.KeyRight:
		s.turn(1)
	case s.tab == tabSteps:
		s.steps.Key(k)
	case s.tab == tabFrom:
		s.from.Key(k)
	case s.tab == tabHere:
		s.here.Key(k)
	default:
		s.gone.Key(k)
	}
}

func (s *screen) click(y int) {
	switch s.tab {
	case tabSteps:
		s.steps.Click(y)
	case tabFrom:
		s.from.Click(y)
	case tabHere:
		s.here.Click(y)
	default:
		s.gone.Click(y)
	}
}

// turn shows another part of a lot; a piece has steps alone.
func (s *screen) turn(way int) {
	if !s.source.piece {
		s.tab = tab((int(s.tab) + way + len(tabs())) % len(tabs()))
	}
}

// chosenRoute is where the chosen line leads, with its words where nowhere.
func (s *screen) chosenRoute() (route, words string, ok bool) {
	switch s.tab {
	case tabSteps:
		x, ok := s.steps.Selected()
		return x.route, strings.ReplaceAll(string(x.op), "_", " "), ok
	case tabHere:
		h, ok := s.here.Selected()
		return tui.Path("explain", h.BalanceID.String()), "", ok
	case tabFrom:
		p, ok := s.from.Selected()
		return p.Route, p.Op, ok
	}
	p, ok := s.gone.Selected()
	return p.Route, p.Op, ok
}

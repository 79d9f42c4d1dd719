package goods

import (
	"context"
	"errors"
	"fmt"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/widget"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/google/uuid"
)

// One makes the screen of a product, named by SKU, id or barcode.
func One(site *dock.Site) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) { return &one{site: site, ref: env.Route.Param("ref")}, nil }
}

// one is the screen of a product.
type one struct {
	site    *dock.Site
	env     tui.Env
	ref     string
	product *api.Product
	parts   map[api.ID]api.Product
	fault   string
	unknown bool       // fault is that nobody knows it
	archive *dock.Step // what was sent and has no answer
	busy    bool
	top     int // the first fact shown, where not all fit
}

type (
	readMsg struct {
		product api.Product
		parts   map[api.ID]api.Product
		err     error
	}
	archivedMsg struct {
		res *api.Response
		err error
	}
)

func (s *one) Init(env tui.Env) tea.Cmd {
	s.env = env
	return s.read()
}

func (s *one) read() tea.Cmd {
	s.fault = ""
	return s.env.Latest("product", func(ctx context.Context) tea.Msg {
		p, err := Find(ctx, s.site, s.ref)
		m := readMsg{product: p, err: err, parts: map[api.ID]api.Product{}}
		for _, c := range p.Components {
			if part, err := dock.Ask(ctx, s.site, api.GetProduct, api.ProductInput{ProductID: c.ProductID}); err == nil {
				m.parts[c.ProductID] = part
			}
		}
		return m
	})
}

// Find finds a product by SKU, id or barcode. None is an error in words.
func Find(ctx context.Context, site *dock.Site, ref string) (api.Product, error) {
	if id, err := uuid.Parse(ref); err == nil && len(ref) == 36 {
		p, err := dock.Ask(ctx, site, api.GetProduct, api.ProductInput{ProductID: id})
		if !api.HasCode(err, api.NotFound) {
			return p, err
		}
	}
	for _, in := range []api.ListProductsInput{{SKU: ref}, {Barcode: ref}} {
		found, err := dock.Ask(ctx, site, api.ListProducts, in)
		if err != nil {
			return api.Product{}, err
		}
		if len(found.Items) > 0 {
			return found.Items[0], nil
		}
	}
	return api.Product{}, &unknownError{ref}
}

// An unknownError tells that nobody knows a product.
type unknownError struct{ ref string }

func (e *unknownError) Error() string {
	return fmt.Sprintf(saidThereIsNoProduct, widget.Clean(e.ref))
}

func (s *one) Title() string {
	if s.product == nil {
		return fmt.Sprintf(saidProducts, widget.Clean(s.ref))
	}
	return fmt.Sprintf(saidProducts, widget.Clean(s.product.SKU))
}

func (s *one) Busy() bool       { return s.busy }
func (s *one) Refresh() tea.Cmd { return s.read() }

// OnScan shows the product that is scanned in the place of this one.
func (s *one) OnScan(x scan.Scan) tea.Cmd {
	s.busy = true
	return find(s.env, s.site, dock.Read(x))
}

func (s *one) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case readMsg:
		switch {
		case msg.err == nil:
			s.product, s.parts = &msg.product, msg.parts
		case s.product == nil:
			s.fault, s.unknown = dock.Words(msg.err), errors.As(msg.err, new(*unknownError))
		default:
			return s, tui.Warn(fmt.Sprintf(saidNotReadAnew, dock.Words(msg.err)))
		}
	case foundMsg:
		s.busy = false
		if msg.product != nil {
			return s, tea.Batch(tui.Accepted(), tui.Replace(Route(msg.product)))
		}
		return s, msg.follow(s.site)
	case archivedMsg:
		return s, s.archived(msg)
	case tea.KeyMsg:
		switch msg.Type {
		case tea.KeyUp, tea.KeyPgUp:
			s.top--
		case tea.KeyDown, tea.KeyPgDown:
			s.top++
		}
	}
	return s, nil
}

// putAway archives the product; asked again for want of an answer, with the same key.
func (s *one) putAway() tea.Cmd {
	if s.archive == nil {
		step, err := dock.NewStep(api.ArchiveProduct, api.ProductInput{ProductID: s.product.ID}, fmt.Sprintf(saidArchive, s.product.SKU))
		if err != nil {
			return tui.Fail(err)
		}
		s.archive = &step
	}
	s.busy = true
	step := *s.archive
	return s.env.Do(func(ctx context.Context) tea.Msg {
		res, err := s.site.Send(ctx, step)
		return archivedMsg{res, err}
	})
}

func (s *one) archived(m archivedMsg) tea.Cmd {
	s.busy = false
	switch {
	case m.err == nil:
		s.archive = nil
		s.product = m.res.Output.(*api.Product)
		return tea.Batch(tui.Toast(fmt.Sprintf(saidIsOutOfUse, s.product.SKU)), tui.Accepted())
	case dock.Unsure(m.err):
		return tui.Fail(errors.New(saidNoAnswerCameArchive))
	}
	s.archive = nil
	return tui.Fail(errors.New(dock.Words(m.err)))
}

package products

import (
	"bincard/tui/i18n"
	"context"
	"errors"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/session"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/google/uuid"
)

// Detail returns the factory of the product screen. The route names the product by
// SKU, ID or barcode.
func Detail(site *session.Site) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) { return &detail{site: site, ref: env.Route.Param("ref")}, nil }
}

// detail is the screen of one product.
type detail struct {
	tui.Env
	site      *session.Site
	ref       string
	product   *api.Product
	refs      references
	history   []api.ResourceChange // newest first
	errText   string
	notFound  bool // errText says that the product does not exist
	archive   *submit.Submission
	lookingUp bool // a scan is being looked up
	top       int  // index of the first visible row
}

type (
	loadedMsg struct {
		product api.Product
		refs    references
		history []api.ResourceChange
		err     error
	}
)

func (s *detail) Init(env tui.Env) tea.Cmd {
	s.Env = env
	return s.load()
}

func (s *detail) load() tea.Cmd {
	s.errText = ""

	return s.Latest("product", func(ctx context.Context) tea.Msg {
		p, err := Find(ctx, s.site, s.ref)
		m := loadedMsg{product: p, err: err}
		if err == nil && s.site.Supports(api.GetProductHistory.Spec) {
			found, _ := session.Call(ctx, s.site, api.GetProductHistory, api.ProductInput{ProductID: p.ID})
			m.history = found.Items // without it, the screen shows the rest
		}

		m.refs.parts = partsOf(ctx, s.site, append(pastComponents(m.history), p.Components...))

		if len(p.Shelves) > 0 || len(m.history) > 0 {
			m.refs.places = map[api.ID]string{}
			list, _ := s.site.Locations(ctx) // without it, the screen shows the ids
			for _, l := range list {
				m.refs.places[l.ID] = l.Code
			}
		}

		return m
	})
}

// partsOf returns those of the components that can be read.
func partsOf(ctx context.Context, site *session.Site, list []api.Component) map[api.ID]api.Product {
	parts := map[api.ID]api.Product{}
	for _, c := range list {
		if _, ok := parts[c.ProductID]; ok {
			continue
		}
		if part, err := session.Call(ctx, site, api.GetProduct, api.ProductInput{ProductID: c.ProductID}); err == nil {
			parts[c.ProductID] = part
		}
	}
	return parts
}

// Find finds a product by SKU, ID or barcode. If there is none it returns an
// unknownProductError.
func Find(ctx context.Context, site *session.Site, ref string) (api.Product, error) {
	if id, err := uuid.Parse(ref); err == nil && len(ref) == 36 {
		p, err := session.Call(ctx, site, api.GetProduct, api.ProductInput{ProductID: id})
		if !api.HasCode(err, api.NotFound) {
			return p, err
		}
	}

	for _, in := range []api.ListProductsInput{{SKU: ref}, {Barcode: ref}} {
		found, err := session.Call(ctx, site, api.ListProducts, in)
		if err != nil {
			return api.Product{}, err
		}
		if len(found.Items) > 0 {
			return found.Items[0], nil
		}
	}

	return api.Product{}, &unknownProductError{site.T(), ref}
}

// An unknownProductError says that no product has the reference.
type unknownProductError struct {
	t   *i18n.Translator
	ref string
}

func (e *unknownProductError) Error() string {
	return e.t.Get("Product %s not found. F3 creates it, esc goes back.", widget.Clean(e.ref))
}

func (s *detail) Title() string {
	if s.product == nil {
		return s.T.Get("Products › %s", widget.Clean(s.ref))
	}
	return s.T.Get("Products › %s", widget.Clean(s.product.SKU))
}

func (s *detail) Busy() bool       { return s.lookingUp || s.archive.Sending() }
func (s *detail) Refresh() tea.Cmd { return s.load() }

// OnScan replaces this product by the scanned one.
func (s *detail) OnScan(x scan.Scan) tea.Cmd {
	s.lookingUp = true
	r := count.ParseLabel(s.T, x)
	return s.Do(func(ctx context.Context) tea.Msg { return lookUp(ctx, s.site, r) })
}

func (s *detail) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case loadedMsg:
		switch {
		case msg.err == nil:
			s.product, s.refs, s.history = &msg.product, msg.refs, msg.history
		case s.product == nil:
			s.errText = submit.UserMessage(s.T, msg.err)
			s.notFound = errors.As(msg.err, new(*unknownProductError))
		default:
			return s, tui.Warn(s.T.Get("Not refreshed: %s", submit.UserMessage(s.T, msg.err)))
		}

	case foundMsg:
		s.lookingUp = false
		if msg.product != nil {
			return s, tui.Accept(tui.Replace(Route(msg.product)))
		}
		return s, msg.navigate(s.site)

	case submit.Answer:
		return s, s.archiveAnswered(msg)
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

// archiveProduct archives the product. After a missing answer it retries with the
// same key.
func (s *detail) archiveProduct() tea.Cmd {
	if s.archive == nil {
		step, err := submit.NewStep(api.ArchiveProduct, api.ProductInput{ProductID: s.product.ID},
			s.T.Get("archive %s", s.product.SKU))
		if err != nil {
			return tui.Fail(err)
		}
		s.archive = submit.New(step)
	}

	return s.archive.Send(s.Env, s.site)
}

func (s *detail) archiveAnswered(a submit.Answer) tea.Cmd {
	err := s.archive.Answered(a)
	if err != nil && s.archive.State() != submit.Refused {
		return tui.Fail(s.T.NewError("No answer. Archive it again (ctrl+x); it is done only once."))
	}

	s.archive = nil
	if err != nil {
		return tui.Fail(errors.New(submit.UserMessage(s.T, err)))
	}

	s.product = a.Response.Output.(*api.Product)

	return tea.Batch(tui.Toast(s.T.Get("%s is archived", s.product.SKU)), tui.Accepted())
}

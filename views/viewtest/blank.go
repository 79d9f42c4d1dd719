package viewtest

import (
	"bincard/tui"

	tea "github.com/charmbracelet/bubbletea"
)

// page stands for a screen of another job: it shows where one came.
type page struct{ env tui.Env }

func blank(tui.Env) (tui.Screen, error)                  { return &page{}, nil }
func (p *page) Init(env tui.Env) tea.Cmd                 { p.env = env; return nil }
func (p *page) Update(msg tea.Msg) (tui.Screen, tea.Cmd) { return p, nil }
func (p *page) View(tui.Size) string                     { return "route " + p.env.Route.Path }
func (p *page) Title() string                            { return p.env.Route.Path }
func (p *page) Actions() []tui.Action                    { return nil }

package viewtest

import (
	"bincard/tui"

	tea "github.com/charmbracelet/bubbletea"
)

// blankScreen stands in for the screen of another job and shows its route.
type blankScreen struct{ env tui.Env }

// NewBlankScreen returns a screen that shows only its route.
func NewBlankScreen(tui.Env) (tui.Screen, error) { return &blankScreen{}, nil }

func (p *blankScreen) Init(env tui.Env) tea.Cmd                 { p.env = env; return nil }
func (p *blankScreen) Update(msg tea.Msg) (tui.Screen, tea.Cmd) { return p, nil }
func (p *blankScreen) View(tui.Size) string                     { return "route " + p.env.Route.Path }
func (p *blankScreen) Title() string                            { return p.env.Route.Path }
func (p *blankScreen) Actions() []tui.Action                    { return nil }

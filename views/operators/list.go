// Package operators has the screens of the people of the organization: the list, where a
// supervisor removes them, and the form that creates or changes one.
package operators

import (
	"context"
	"net/url"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/listscreen"
	"bincard/views/session"
)

// Register adds the screens.
func Register(r *tui.Registry, site *session.Site) {
	r.AddEntry(site.Entry("operators", i18n.Text("Operators"), List(site), api.ListOperators.Spec))
	r.AddEntry(site.Entry("operators/new", "", Edit(site), api.CreateOperator.Spec))
}

// manage is what changes of operators need.
var manage = []tui.Need{{Permission: tui.ManageOperators}}

// List lists the operators.
func List(site *session.Site) tui.Factory {
	return listscreen.New(site, func(s *listscreen.Screen) listscreen.Kind[*api.Operator] {
		t := s.T

		return listscreen.Kind[*api.Operator]{
			Texts: func() listscreen.Texts {
				return listscreen.Texts{Title: t.Get("Operators"), Question: t.Get("Who works here"),
					Noun: t.Get("operators"), Empty: t.Get("No operators yet. Press F3 to add one.")}
			},
			Key: func(o *api.Operator) string { return o.ID.String() },
			Load: listscreen.Fixed(listscreen.Load(func(ctx context.Context) ([]api.Operator, bool, error) {
				list, err := site.Operators(ctx)
				return list, false, err
			})),
			Columns: func(tui.Size) []widget.Column[*api.Operator] {
				return []widget.Column[*api.Operator]{
					{Title: t.Get("name"), Cell: func(o *api.Operator) string { return o.Name }},
					{Title: t.Get("role"), Width: 12, Cell: func(o *api.Operator) string {
						if o.Removed {
							return t.Get("removed")
						}
						return roleText(t, o.Role)
					}},
				}
			},
			Open: tui.Action{ID: "operators.edit", Label: t.Get("change")},
			OpenRow: func(o *api.Operator) tea.Cmd {
				return tui.Open("operators/new?" + url.Values{"id": {o.ID.String()}, "name": {o.Name},
					"role": {string(o.Role)}, "version": {strconv.FormatInt(o.Version, 10)}}.Encode())
			},
			Actions: func() []tui.Action {
				o, _ := listscreen.Selected[api.Operator](s)
				return []tui.Action{s.NewAction("operators", t.Get("Add an operator")), {
					ID: "operators.remove", Key: "f8", Label: t.Get("remove"), Needs: manage, Dangerous: true,
					Approve:  func() string { return t.Get("remove") + ": " + o.Name },
					Disabled: s.EmptyReason, Run: func() tea.Cmd { return remove(s, site, o.ID) },
					Ask: t.Get("Remove %s? The badge and the PIN no longer work.", widget.Clean(o.Name)),
				}}
			},
		}
	})
}

// remove removes an operator, whose name stays.
func remove(s *listscreen.Screen, site *session.Site, id api.ID) tea.Cmd {
	removed, by := true, api.ApprovedBy(s.ApprovedBy())

	return s.Do(func(ctx context.Context) tea.Msg {
		in := api.ChangeOperatorInput{OperatorID: id, Removed: &removed}
		if _, err := session.Call(ctx, site, api.ChangeOperator, in, by); err != nil {
			return tui.Fail(err)()
		}
		return tui.Replace("operators")()
	})
}

func roleText(t *i18n.Translator, r api.Role) string {
	if r == api.Supervisor {
		return t.Get("supervisor")
	}
	return t.Get("worker")
}

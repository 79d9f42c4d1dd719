package panel

import "bincard/tui"

// DraftRoute returns the first of the routes of a document that has a draft. A draft
// of the operator, or one without an owner, comes before a draft of another operator. It
// returns "" if no route has a draft.
func DraftRoute(env tui.Env, routes ...string) string {
	list, err := UnsentDrafts(env.Drafts, env.Operator)
	if err != nil {
		env.Log.Error("cannot list drafts", "error", err)
	}
	for _, own := range []bool{true, false} {
		for _, route := range routes {
			for _, d := range list {
				if mine := d.Owner == "" || d.Owner == env.Operator; d.Route == route && mine == own {
					return route
				}
			}
		}
	}
	return ""
}

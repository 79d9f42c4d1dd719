package apitest

import (
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

var presenceTests = []test{
	{"list presence: what others have open, until they close it", presenceListed},
	{"list presence: a terminal that no longer asks is gone within a minute", presenceExpires},
	{"list presence: only those of the organization and environment", presenceTenancy},
	{"list presence: what is open is validated", presenceValidated},
}

// A terminal asks what others have open.
type terminal struct {
	k    *fixture
	name string
}

func (t terminal) ask(open ...api.Presence) []api.Presence {
	t.k.Helper()
	return do(t.k, api.ListPresence, api.NewListPresenceInput(t.name, open)).Items
}

func presenceListed(k *fixture) {
	a, b := terminal{k, newID().String()}, terminal{k, newID().String()}
	since := k.Now().Add(-4 * time.Minute)
	po := api.Presence{Work: "receive/PO-77", Person: "Ben", Counted: 12, Since: &since}
	require.Empty(k, a.ask(po), "its own work is not listed")
	so := api.Presence{Work: "fulfill/SO-7002", Person: "Ada"}
	require.Equal(k, []api.Presence{po}, b.ask(so))
	po.Counted = 13
	require.Equal(k, []api.Presence{so}, a.ask(po, api.Presence{Work: "count/WH-1", Person: "Ben"}))
	require.Equal(k, []api.Presence{{Work: "count/WH-1", Person: "Ben"}, po}, b.ask())
	require.Empty(k, a.ask(), "the other one has closed it")
	require.Empty(k, b.ask())

	a.ask(api.Presence{Work: "receive/PO-77"})
	require.NotEmpty(k, b.ask()[0].Person, "the key, where nobody signs in")
}

func presenceExpires(k *fixture) {
	a, b := terminal{k, newID().String()}, terminal{k, newID().String()}
	work := api.Presence{Work: "receive/PO-77", Person: "Ben"}
	a.ask(work)
	k.Advance(api.PresenceLife - time.Second)
	require.Equal(k, []api.Presence{work}, b.ask())
	a.ask(work)
	k.Advance(api.PresenceLife - time.Second)
	require.Equal(k, []api.Presence{work}, b.ask(), "it asked again")
	k.Advance(time.Second)
	require.Empty(k, b.ask())
}

func presenceTenancy(k *fixture) {
	own := terminal{k.as(k.As(0, api.Live, api.Scopes...)), newID().String()}
	own.ask(api.Presence{Work: "receive/PO-77", Person: "Ben"})
	for _, other := range []*fixture{k.as(k.As(0, api.Test, api.Scopes...)), k.as(k.As(1, api.Live, api.Scopes...))} {
		require.Empty(k, terminal{other, own.name}.ask())
		require.Empty(k, terminal{other, newID().String()}.ask())
	}
}

func presenceValidated(k *fixture) {
	works := func(n int) []api.Presence {
		list := make([]api.Presence, n)
		for i := range list {
			list[i].Work = "receive/PO-77"
		}
		return list
	}
	ask := func(open string) api.ListPresenceInput {
		return api.ListPresenceInput{Terminal: newID().String(), Open: open}
	}
	require.Empty(k, do(k, api.ListPresence, api.NewListPresenceInput(newID().String(), works(api.MaxPresence+1))).Items)
	many := `[` + strings.Repeat(`{"work":"a"},`, api.MaxPresence) + `{"work":"a"}]`
	for _, open := range []string{`{}`, `nonsense`, `[{"work":""}]`, `[{"work":"a","counted":-1}]`, `[{"work":"a\n"}]`,
		`[{"work":"a","person":"` + strings.Repeat("b", 256) + `"}]`, many} {
		mustFail(k, api.ValidationError, api.ListPresence, ask(open))
	}
	mustFail(k, api.ValidationError, api.ListPresence, api.ListPresenceInput{})
}

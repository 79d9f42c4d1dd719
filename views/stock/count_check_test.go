package stock_test

import (
	"testing"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui"
	"bincard/tui/drafts"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/views/session"
	"bincard/views/stocktext"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

// signIn lets Ada and Bob, who are workers, and Eve, a supervisor, sign in. Ada is signed in.
func signIn(h *viewtest.Warehouse) func(*shell.Options) {
	return func(o *shell.Options) {
		count := tui.Permissions{tui.MayCount: {Unlimited: true}}
		o.Login = tui.Login{Operators: []tui.Operator{
			{Name: "Ada", Badge: "BADGE-1", Permissions: count},
			{Name: "Bob", Badge: "BADGE-2", Permissions: count},
			{Name: "Eve", Badge: "BADGE-9", Supervisor: true},
		},
			Current: "Ada", OnChange: h.Site.SetOperator}
	}
}

// lastMovement returns the last movement and the person recorded with it.
func lastMovement(t *testing.T, h *viewtest.Warehouse, p api.Product) (api.Movement, string) {
	t.Helper()
	key := api.StockFilter{ProductID: p.ID, LocationID: h.Main.ID}
	balance := ledgertest.Do(h.World, api.ListBalances, api.ListBalancesInput{StockFilter: key}).Items[0]
	moves := ledgertest.Do(h.World, api.ExplainBalance, api.ExplainBalanceInput{BalanceID: balance.ID}).Movements
	last := moves[len(moves)-1]
	return last, stocktext.MovementActor(nil, &last)
}

func TestCount_IsBlindForWorkers(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	d := openAt(t, h, "count/WH-1", signIn(h))
	d.Sees("blind   0 of 4 counted", "?", "F4 show expected").Lacks("40", "24")
	d.Scan("COF-500").Type("38").Key("enter").Scan("CAM-1").Scan("S-1001").Lacks("-2", "missing", "S-1002")
	d.Key("enter").Sees("2 counted   2 not counted", "Press enter to post the count.", "enter post count").
		Lacks("-2", "40", "S-1002", "to adjust", "matches")
	d.Size(20, 16).Lacks("-2", "40").Size(40, 8).Lacks("-2", "40").Size(80, 24)
	d.Key("f4").Sees("A supervisor must approve: show expected").Scan("BADGE-2").Sees("Bob is not a supervisor").
		Lacks("40")
	d.Key("esc", "f4").Scan("BADGE-9").Sees("Approved by Eve", "Ada", "40", "! -2", "! -1")
	d.Key("esc").Sees("40", "F4 blind").Key("f4").Sees("blind").Lacks("40")
	d.Key("enter", "enter").Sees("Adjust WH-1 to match the count? Not counted and left unchanged: 2.").Key("enter")
	d.Sees("WH-1 counted: 2 adjusted. Lines not counted: 2", "blind   0 of 4 counted").Lacks("40")
	_, who := lastMovement(t, h, h.Coffee)
	require.Equal(t, "Ada", who)
}

// A supervisor's badge that is scanned before the approval is asked for signs nobody in unasked.
func TestCount_EarlyBadgeKeepsTheOperator(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	d := openAt(t, h, "count/WH-1?sku=COF-500", signIn(h))
	d.Type("20").Key("enter", "enter").Sees("1 to count again")
	for _, size := range tuitest.Shapes() {
		d.Size(size.Width, size.Height).Burst("BADGE-9").Key("enter").Sees("Ada") // meant for the count
		d.Sees("Eve", "badge", "scanned", "enter", "sign in", "esc to").Scan("BADGE-9").Scan("COF-500").Key("esc").Lacks("Eve")
	}
	d.Size(80, 24).Scan("BADGE-9").Sees("Eve's badge was scanned", "Press enter to sign in, or esc to go on as Ada").
		Scan("BADGE-1").Sees("Signed in as Ada").Key("enter").Sees("A supervisor must approve").Scan("BADGE-9").Sees("Approved by Eve", "Ada").Key("esc")
	d.Scan("BADGE-9").Key("enter").Sees("Signed in as Eve").Lacks("again")
}

// A supervisor who works alone chooses, and a worker who takes over sees nothing.
func TestCount_BlindFollowsTheOperator(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	d := openAt(t, h, "count/WH-1", signIn(h), func(o *shell.Options) { o.Login.Current = "Eve" })
	d.Sees("40", "F4 blind").Scan("COF-500").Type("39").Key("enter").Sees("-1")
	d.Scan("BADGE-1").Key("enter").Do(tui.Open("count/WH-1")).Lacks("40")
}

func TestCount_LargeDifferenceNeedsASecondCount(t *testing.T) {
	t.Parallel()
	h, saved := fullWarehouse(t), drafts.InMemory()
	d := openAt(t, h, "count/WH-1?sku=COF-500", signIn(h), viewtest.KeepDrafts(saved))
	d.Type("20").Key("enter", "enter").Sees("1 to count again", "! count again",
		"Large differences: 1. Another person recounts (F3), or a supervisor posts.").Lacks("40", "-20")
	d.Key("enter").Sees("A supervisor must approve: post count").Key("esc", "f3").Sees("0 of 1 counted").Lacks("20")
	d.Type("20").Key("enter", "enter").Sees("1 to count again").Key("enter").
		Sees("A supervisor must approve: post count").Key("esc", "f3")
	d.Type("21").Key("enter", "enter").Sees("1 to count again", "counted 20, then 21").Key("f3")
	d = openAt(t, h, "move", signIn(h), viewtest.KeepDrafts(saved), func(o *shell.Options) {
		o.Login.Current = "Bob"
	}) // restarted
	d.Do(tui.OpenDraft("count/WH-1?sku=COF-500", "Ada")).Sees("Take it over?").Advance(time.Second).Key("enter").
		Sees("0 of 1 counted")
	d.Type("21").Key("enter", "enter").Sees("1 counted").Lacks("again").Key("enter", "enter").
		Sees("COF-500@WH-1 counted: 1 adjusted")
	last, who := lastMovement(t, h, h.Coffee)
	require.EqualValues(t, -19, last.Quantity)
	require.Equal(t, "Ada, counted again by Bob", who)
	require.Equal(t, "counted", last.Reason)
}

// A terminal has limits of a large difference. Those of the organization apply instead.
func TestCount_LimitsAreConfigured(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		terminal session.LargeDifference
		rules    api.Rules
	}{
		"of the terminal":     {session.LargeDifference{Pieces: 1, Percent: 5}, api.Rules{}},
		"of the organization": {session.LargeDifference{Pieces: 50, Percent: 5}, api.Rules{CountLimitPieces: new(int64(0))}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := fullWarehouse(t)
			_, err := h.Ledger.SetRules(t.Context(), h.Org.ID, api.Live, c.rules)
			require.NoError(t, err)
			h.Site = session.NewSite(session.Options{Service: h.Service, Operator: "Ada", Location: h.Site.Location(),
				LargeDifference: &c.terminal})
			d := openAt(t, h, "count/WH-1?sku=COF-500")
			d.Type("38").Key("enter", "enter").Sees("1 to adjust")
			d.Key("esc").Type("37").Key("enter", "enter").Sees("1 to count again")
		})
	}
}

func TestCount_SupervisorPostsALargeDifference(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	d := openAt(t, h, "count/WH-1", signIn(h))
	d.Scan("COF-500").Type("20").Key("enter").Scan("]C101"+h.OatBox+"10L2").Type("11").Key("enter", "enter").
		Sees("1 to count again   1 counted")
	for _, size := range tuitest.Shapes() {
		d.Size(size.Width, size.Height).Key("enter").Sees("COF-500: 20", "counted", "▸ ", "█").Lacks("40", "-20")
		d.Scan("BADGE-9").Advance(time.Second).Sees("COF-500: 20", "40", "(-20)", "Reason?", "█").Key("esc")
	}
	d.Size(80, 24).Key("enter").Sees("A supervisor must approve: post count of WH-1 (COF-500: 20 counted)").Scan("BADGE-9").
		Sees("Approved by Eve").Advance(time.Second).Sees("COF-500: 20 counted, 40 recorded (-20). Large differences without a second").
		Sees("count: 1. Reason?").Key("esc")
	d.Key("enter").Scan("BADGE-9").Advance(time.Second).Key("enter").Sees("1. Reason?", "enter") // it needs one
	d.Type("water damage").Key("enter").Sees("Adjust WH-1 to match the count?").Key("enter").Sees("2 adjusted", "Ada")
	last, who := lastMovement(t, h, h.Coffee)
	require.EqualValues(t, -20, last.Quantity)
	require.Equal(t, "Ada, approved by Eve", who)
	require.Equal(t, "counted: water damage", last.Reason)
	last, who = lastMovement(t, h, h.Oat)
	require.Equal(t, "Ada", who, "a small difference needs no approval")
	require.Equal(t, "counted", last.Reason)
}

func TestCount_ApprovalSaysHowManyDiffer(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	d := openAt(t, h, "count/WH-1", signIn(h))
	d.Scan("COF-500").Type("20").Key("enter").Scan("]C101"+h.OatBox+"10L2").Type("1").Key("enter", "enter").
		Sees("2 to count again").Key("enter").Sees("post count of WH-1 (COF-500: 20 counted and 1\n  more)")
}

// A difference above the role's limit that was counted twice records both who counted it
// and who approved it, and a small difference above that limit who approved it.
func TestCount_RecordsSecondCountAndApproval(t *testing.T) {
	t.Parallel()
	h, saved := fullWarehouse(t), drafts.InMemory()
	limited := func(o *shell.Options) {
		for i := range 2 {
			o.Login.Operators[i].Permissions = tui.Permissions{tui.MayCount: {Pieces: 2}}
		}
	}
	d := openAt(t, h, "count/WH-1", signIn(h), limited, viewtest.KeepDrafts(saved))
	d.Scan("COF-500").Type("20").Key("enter").Scan("]C101"+h.OatBox+"10L2").Type("11").Key("enter", "enter").
		Sees("1 to count again   1 counted")
	d = openAt(t, h, "move", signIn(h), limited, viewtest.KeepDrafts(saved), func(o *shell.Options) { o.Login.Current = "Bob" })
	d.Do(tui.OpenDraft("count/WH-1", "Ada")).Sees("Take it over?").Advance(time.Second).Key("enter")
	d.Key("f3").Type("20").Key("enter", "enter").Sees("2 counted").Lacks("again")
	d.Key("enter").Sees("A supervisor must approve: post count of WH-1").Scan("BADGE-9").
		Sees("Adjust WH-1 to match the count?").Advance(time.Second).Key("enter").Sees("2 adjusted", "Bob")
	_, who := lastMovement(t, h, h.Coffee)
	require.Equal(t, "Ada, counted again by Bob, approved by Eve", who)
	_, who = lastMovement(t, h, h.Oat)
	require.Equal(t, "Bob", who)

	d.Scan("COF-500").Type("17").Key("enter", "enter", "enter").Sees("A supervisor must approve: post count of WH-1").
		Scan("BADGE-9").Advance(time.Second).Key("enter").Sees("1 adjusted")
	_, who = lastMovement(t, h, h.Coffee)
	require.Equal(t, "Bob, approved by Eve", who, "a difference above the role's limit")
}

package apitest

import (
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

var balanceTests = []test{
	{"balances: get and list", balancesRead},
	{"explain balance", balanceExplained},
	{"explain balance: pages", explanationPaged},
}

var reportTests = []test{
	{"movements report", movementsReported},
	{"movements report says who and which lot", movementsSayWhoAndWhichLot},
	{"an approval is a field of one write", approvalIsOfOneWrite},
	{"movements report: filters", movementsFiltered},
	{"snapshot report: filters", snapshotFiltered},
	{"reports require their scope", reportsScoped},
}

func balancesRead(k *fixture) {
	milk := k.product("MILK")
	a := k.stock(k.oats, k.wh, 3)
	k.Advance(time.Minute)
	b := k.stock(milk, k.shop, 4)
	require.Equal(k, k.text(b), k.text(do(k, api.GetBalance, api.GetBalanceInput{BalanceID: b.ID})))
	require.Equal(k, k.Now(), b.CreatedAt)
	find := func(in api.ListBalancesInput) (ids []api.ID) {
		for _, x := range do(k, api.ListBalances, in).Items {
			ids = append(ids, x.ID)
		}
		return ids
	}

	require.Equal(k, []api.ID{b.ID, a.ID}, find(api.ListBalancesInput{}), "newest first")
	require.Equal(k, []api.ID{a.ID}, find(api.ListBalancesInput{StockFilter: api.StockFilter{ProductID: k.oats}}))
	require.Equal(k, []api.ID{b.ID}, find(api.ListBalancesInput{StockFilter: api.StockFilter{LocationID: k.shop}}))
	require.Empty(k, find(api.ListBalancesInput{StockFilter: api.StockFilter{ProductID: k.oats, LocationID: k.shop}}))
	require.Len(k, find(api.ListBalancesInput{StockFilter: api.StockFilter{OwnerID: k.Orgs[0].DefaultOwnerID, ChannelID: k.Orgs[0].DefaultChannelID}}), 2)
	mustFail(k, api.NotFound, api.GetBalance, api.GetBalanceInput{BalanceID: newID()})
	mustFail(k, api.NotFound, api.ExplainBalance, api.ExplainBalanceInput{BalanceID: newID()})
}

func balanceExplained(k *fixture) {
	in := k.inbound(k.oats, 9)
	do(k, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 6})
	do(k, api.MoveStock, move(k.oats, k.wh, 2, api.Available, api.Damaged))
	b := do(k, api.AdjustStock, adjust(k.oats, k.wh, api.Damaged, -1)).Balance
	out := do(k, api.ExplainBalance, api.ExplainBalanceInput{BalanceID: b.ID})
	require.Equal(k, []string{"inbound_expect incoming +9",
		"inbound_receive incoming -6", "inbound_receive onHand +6", "inbound_receive available +6",
		"move_state available -2", "move_state damaged +2", "adjust damaged -1", "adjust onHand -1"}, legs(out.Movements))
	require.Nil(k, out.NextCursor)
	require.Equal(k, k.text(b), k.text(out.Balance))
	require.Equal(k, api.Quantities{OnHand: 5, Available: 4, Damaged: 1, Incoming: 3}, out.Totals)
	require.Equal(k, out.Balance.Quantities, out.Totals)
	var sum api.Quantities
	for _, m := range out.Movements {
		require.Equal(k, sum.Of(m.InventoryState), m.BalanceBefore)
		sum.Add(m.InventoryState, m.Quantity)
		require.Equal(k, sum.Of(m.InventoryState), m.BalanceAfter)
	}

	require.Equal(k, out.Totals, sum)
	newest := do(k, api.ExplainBalance, api.ExplainBalanceInput{BalanceID: b.ID, HistoryPage: api.HistoryPage{Order: api.NewestFirst}})
	for i := range out.Movements {
		require.Equal(k, out.Movements[i].ID, newest.Movements[len(out.Movements)-1-i].ID)
	}
}

func explanationPaged(k *fixture) {
	var b api.Balance
	for range 300 {
		b = k.stock(k.oats, k.wh, 1)
	}

	whole := do(k, api.ExplainBalance, api.ExplainBalanceInput{BalanceID: b.ID})
	require.Len(k, whole.Movements, 600)
	for _, order := range []api.Order{api.OldestFirst, api.NewestFirst} {
		var got []api.ID
		in := api.ExplainBalanceInput{BalanceID: b.ID, HistoryPage: api.HistoryPage{Limit: ptr(int64(77)), Order: order}}
		for {
			page := do(k, api.ExplainBalance, in)
			require.Equal(k, api.Quantities{OnHand: 300, Available: 300}, page.Totals, "totals are of the whole")
			for _, m := range page.Movements {
				got = append(got, m.ID)
			}
			if page.NextCursor == nil {
				break
			}

			require.Len(k, page.Movements, 77)
			in.Cursor = *page.NextCursor
		}

		require.Len(k, got, 600)
		require.Equal(k, whole.Movements[0].ID, got[map[api.Order]int{api.OldestFirst: 0, api.NewestFirst: 599}[order]])
	}

	mustFail(k, api.InvalidCursor, api.ExplainBalance, api.ExplainBalanceInput{BalanceID: b.ID, HistoryPage: api.HistoryPage{Cursor: "there"}})
}

func movementsReported(k *fixture) {
	in := adjust(k.oats, k.wh, api.OnHand, 4)
	in.ReferenceType, in.ReferenceID = "count", "C-1"
	made := do(k, api.AdjustStock, in).Movements
	rows := do(k, api.ReportMovements, api.ReportMovementsInput{}).Items
	require.Len(k, rows, 2)
	m, r := made[1], rows[0]
	require.Equal(k, api.MovementRow{ID: m.ID, CreatedAt: m.CreatedAt, ProductID: k.oats, ProductName: "Product OAT-1L", ProductSKU: "OAT-1L",
		LocationID: k.wh, LocationName: "Location WH-1", LocationCode: "WH-1", OwnerID: m.OwnerID, OwnerName: m.Owner.Name, OwnerCode: m.Owner.Code,
		ChannelID: m.ChannelID, ChannelName: m.Channel.Name, ChannelCode: m.Channel.Code, Operation: api.OpAdjust, InventoryState: api.Available,
		Quantity: 4, BalanceAfter: 4, ReferenceType: "count", ReferenceID: "C-1", Reason: "count", Source: m.Source,
		ActorID: m.Actor.ID, ActorLabel: m.Actor.Label, ActorType: m.Actor.Type, Operator: r.Operator, Device: r.Device}, r)
	require.Equal(k, made[0].ID, rows[1].ID)
}

// movementsSayWhoAndWhichLot reports a receipt of a lot and one of serials, approved by a
// supervisor.
func movementsSayWhoAndWhichLot(k *fixture) {
	expires := k.Now().AddDate(0, 1, 0).UTC().Truncate(24 * time.Hour)
	in := k.inbound(k.oats, 2)
	do(k, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 2, NewLot: api.NewLot{LotCode: "L41-C", ExpiresAt: &expires}},
		api.By("Ada"), api.ApprovedBy("Sue"))
	row := do(k, api.ReportMovements, api.ReportMovementsInput{Operation: api.OpInboundReceive, InventoryState: api.Available}).Items[0]
	require.Equal(k, "L41-C", row.LotCode)
	require.True(k, expires.Equal(*row.ExpiresAt))
	require.Equal(k, [2]string{"Ada", "Sue"}, [2]string{row.Operator, row.ApprovedBy})
	_, _, device := (&api.Movement{Actor: api.Actor{Type: row.ActorType, Label: row.ActorLabel}}).Who()
	require.Equal(k, device, row.Device)
	camera := k.tracked("CAM-1", api.TrackSerial)
	k.receiveLot(camera, 2, "", nil, "S-1", "S-2")
	row = do(k, api.ReportMovements, api.ReportMovementsInput{Operation: api.OpInboundReceive, InventoryState: api.Available}).Items[0]
	require.ElementsMatch(k, []string{"S-1", "S-2"}, row.SerialNumbers)
}

// approvalIsOfOneWrite records who approved a write with it alone, and rejects texts that
// claim an approval.
func approvalIsOfOneWrite(k *fixture) {
	supervisor := &api.Actor{Type: api.User, Label: "Sue"}
	in := adjust(k.oats, k.wh, api.OnHand, 4)
	one := do(k, api.AdjustStock, in, api.Key("k-1"), api.By("Ada"), api.ApprovedBy("Sue")).Movements[0]
	require.Equal(k, []*api.Actor{{Type: api.User, Label: "Ada"}, supervisor}, []*api.Actor{one.CreatedBy, one.ApprovedBy})
	require.Nil(k, do(k, api.AdjustStock, in, api.By("Ada")).Movements[0].ApprovedBy, "the next write is not approved")
	again := do(k, api.AdjustStock, in, api.Key("k-1"), api.By("Ada")).Movements[0]
	require.Equal(k, supervisor, again.ApprovedBy, "a replay answers what was recorded")
	rows := do(k, api.ReportMovements, api.ReportMovementsInput{InventoryState: api.OnHand}).Items
	require.Equal(k, []string{"", "Sue"}, []string{rows[0].ApprovedBy, rows[1].ApprovedBy})
	for name, people := range map[string][2]string{"text": {"Ada, approved by Sue", ""}, "spaces": {"Ada,  Approved\u00a0by Sue", ""},
		"both": {"Ada, approved by Eve", "Sue"}, "own": {"Ada", "ada"}, "nobody's": {"", "Sue"}, "chain": {"Ada", "Sue, approved by Eve"}} {
		e := mustFail(k, api.ValidationError, api.AdjustStock, in, api.By(people[0]), api.ApprovedBy(people[1]))
		require.Contains(k, e.Message, "pprov", name)
	}

	require.Len(k, do(k, api.ReportMovements, api.ReportMovementsInput{InventoryState: api.OnHand}).Items, 2)
}

func movementsFiltered(k *fixture) {
	milk := k.product("MILK")
	k.stock(k.oats, k.wh, 4)
	k.Advance(time.Minute)
	noon := k.Now()
	k.inbound(milk, 7)
	k.stock(milk, k.shop, 2)
	later := noon.Add(time.Minute)
	for name, x := range map[string]struct {
		in   api.ReportMovementsInput
		want []string
	}{
		"all":       {api.ReportMovementsInput{}, []string{"adjust available 2", "adjust onHand 2", "inbound_expect incoming 7", "adjust available 4", "adjust onHand 4"}},
		"product":   {api.ReportMovementsInput{StockFilter: api.StockFilter{ProductID: k.oats}}, []string{"adjust available 4", "adjust onHand 4"}},
		"location":  {api.ReportMovementsInput{StockFilter: api.StockFilter{LocationID: k.shop}}, []string{"adjust available 2", "adjust onHand 2"}},
		"operation": {api.ReportMovementsInput{Operation: api.OpInboundExpect}, []string{"inbound_expect incoming 7"}},
		"state":     {api.ReportMovementsInput{InventoryState: api.Available}, []string{"adjust available 2", "adjust available 4"}},
		"posted":    {api.ReportMovementsInput{Status: api.Posted, InventoryState: api.Incoming}, []string{"inbound_expect incoming 7"}},
		"from":      {api.ReportMovementsInput{CreatedFrom: &noon, InventoryState: api.OnHand}, []string{"adjust onHand 2"}},
		"to":        {api.ReportMovementsInput{CreatedTo: &noon}, []string{"adjust available 4", "adjust onHand 4"}},
		"window":    {api.ReportMovementsInput{CreatedFrom: &noon, CreatedTo: &noon}, nil},
		"after":     {api.ReportMovementsInput{CreatedFrom: &later}, nil},
		"owner":     {api.ReportMovementsInput{StockFilter: api.StockFilter{OwnerID: newID()}}, nil},
		"channel":   {api.ReportMovementsInput{StockFilter: api.StockFilter{ChannelID: k.Orgs[0].DefaultChannelID, ProductID: milk, LocationID: k.wh}}, []string{"inbound_expect incoming 7"}},
	} {
		var got []string
		in := x.in
		for {
			list := do(k, api.ReportMovements, in)
			for _, r := range list.Items {
				got = append(got, string(r.Operation)+" "+string(r.InventoryState)+" "+string(rune('0'+r.Quantity)))
			}
			if list.NextCursor == nil {
				break
			}
			in.Cursor = *list.NextCursor
		}

		require.Equal(k, x.want, got, name)
	}

	require.Equal(k, []string{"createdFrom"}, k.invalidFields(mustFail(k, api.ValidationError, api.ReportMovements, api.ReportMovementsInput{CreatedFrom: &later, CreatedTo: &noon})))
	e := mustFail(k, api.ValidationError, api.ReportMovements, api.ReportMovementsInput{Status: "draft", Operation: "reservation_create", InventoryState: "lost"})
	require.ElementsMatch(k, []string{"status", "operation", "inventoryState"}, k.invalidFields(e))
}

func snapshotFiltered(k *fixture) {
	milk := k.product("MILK")
	k.stock(k.oats, k.wh, 4)
	k.Advance(time.Minute)
	noon := k.Now()
	k.inbound(milk, 7)
	row := do(k, api.ReportSnapshot, api.ReportSnapshotInput{StockFilter: api.StockFilter{ProductID: k.oats}}).Items[0]
	b := do(k, api.ListBalances, api.ListBalancesInput{StockFilter: api.StockFilter{ProductID: k.oats}}).Items[0]
	require.Equal(k, api.SnapshotRow{ID: b.ID, ProductID: k.oats, ProductName: "Product OAT-1L", ProductSKU: "OAT-1L", LocationID: k.wh,
		LocationName: "Location WH-1", LocationCode: "WH-1", OwnerID: b.OwnerID, OwnerName: b.Owner.Name, OwnerCode: b.Owner.Code, ChannelID: b.ChannelID,
		ChannelName: b.Channel.Name, ChannelCode: b.Channel.Code, Quantities: b.Quantities, UpdatedAt: b.UpdatedAt}, row)
	for name, x := range map[string]struct {
		in   api.ReportSnapshotInput
		want []string
	}{
		"all":          {api.ReportSnapshotInput{}, []string{"MILK", "OAT-1L"}},
		"in stock":     {api.ReportSnapshotInput{Status: api.StockIn}, []string{"OAT-1L"}},
		"out of stock": {api.ReportSnapshotInput{Status: api.StockOut}, []string{"MILK"}},
		"state":        {api.ReportSnapshotInput{InventoryState: api.Incoming}, []string{"MILK"}},
		"operation":    {api.ReportSnapshotInput{Operation: api.OpAdjust}, []string{"OAT-1L"}},
		"from":         {api.ReportSnapshotInput{CreatedFrom: &noon}, []string{"MILK"}},
		"to":           {api.ReportSnapshotInput{CreatedTo: &noon}, []string{"OAT-1L"}},
		"location":     {api.ReportSnapshotInput{StockFilter: api.StockFilter{LocationID: k.shop}}, nil},
		"owner":        {api.ReportSnapshotInput{StockFilter: api.StockFilter{OwnerID: k.Orgs[0].DefaultOwnerID}}, []string{"MILK", "OAT-1L"}},
	} {
		var got []string
		list := do(k, api.ReportSnapshot, x.in)
		for _, r := range list.Items {
			got = append(got, r.ProductSKU)
		}
		require.Equal(k, x.want, got, name)
		require.Nil(k, list.NextCursor, name)
	}
}

func reportsScoped(k *fixture) {
	k = k.as(k.As(0, api.Live, api.InventoryRead))
	k.requireDetails(mustFail(k, api.InsufficientScope, api.ReportMovements, api.ReportMovementsInput{}), "requiredScope", api.ReportsRead)
	mustFail(k, api.InsufficientScope, api.ReportSnapshot, api.ReportSnapshotInput{})
}

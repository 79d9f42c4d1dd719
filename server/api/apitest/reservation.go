package apitest

import (
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

var reservationTests = []test{
	{"create and commit reservation", reservationCommitted},
	{"reservation: all or nothing", reservationWhole},
	{"reservation expires on time for every request", reservationExpires},
	{"reservations expire in order", reservationsExpireInOrder},
	{"release and cancel reservation", reservationReleased},
	{"ended reservation rejects changes", reservationEnded},
	{"fulfill reservation in parts", reservationFulfilled},
	{"reservation: held stock cannot be adjusted", reservationHeld},
	{"reservation returns stock to its lots", reservationLots},
	{"reservation whose lot was moved", reservationLotMoved},
	{"list reservations: filters", reservationsListed},
	{"reservations require their scopes", reservationsScoped},
	{"race: reserve the last unit", reservationRaced},
}

// reserve reserves q of a product at the warehouse for d.
func (k *fixture) reserve(product api.ID, q int64, d time.Duration) api.ReservationResult {
	k.Helper()
	return do(k, api.CreateReservation, k.reserving(product, q, d))
}

func (k *fixture) reserving(product api.ID, q int64, d time.Duration) api.CreateReservationInput {
	return api.CreateReservationInput{StockKey: api.StockKey{ProductID: product, LocationID: k.wh}, Quantity: q, ExpiresAt: ptr(k.Now().Add(d))}
}

func (k *fixture) reservation(id api.ID) api.Reservation {
	k.Helper()
	return do(k, api.GetReservation, api.ReservationInput{ReservationID: id})
}

func reservationCommitted(k *fixture) {
	k.stock(k.oats, k.wh, 10)
	in := k.reserving(k.oats, 4, time.Hour)
	in.ReferenceType, in.ReferenceID, in.Metadata = "cart", "C-1", api.Metadata(`{"seat":3}`)
	made := do(k, api.CreateReservation, in)
	require.Equal(k, []string{"reservation_create reserved +4", "reserve available -4"}, legs(made.Movements))
	require.Equal(k, "C-1", made.Movements[1].ReferenceID)
	require.Equal(k, api.Quantities{OnHand: 10, Available: 6, Reserved: 4}, made.Balance.Quantities)
	r := made.Reservation
	require.Equal(k, api.ReservationPending, r.Status)
	require.Equal(k, *in.ExpiresAt, r.ExpiresAt)
	require.Equal(k, "OAT-1L", r.Product.SKU)
	require.Equal(k, "WH-1", r.Location.Code)
	require.JSONEq(k, `{"seat":3}`, string(r.Metadata))
	require.Equal(k, k.text(r), k.text(k.reservation(r.ID)))

	out := do(k, api.CommitReservation, api.ReservationInput{ReservationID: r.ID})
	require.Equal(k, []string{"commit reserved -4", "commit committed +4"}, legs(out.Movements))
	require.Equal(k, api.ReservationCommitted, out.Reservation.Status)
	require.Equal(k, api.Quantities{OnHand: 10, Available: 6, Committed: 4}, out.Balance.Quantities)
	k.Advance(2 * time.Hour)
	require.Equal(k, api.ReservationCommitted, k.reservation(r.ID).Status, "a committed reservation does not expire")
	plain := k.reserve(k.oats, 1, time.Hour)
	require.Equal(k, []string{"reservation", plain.Reservation.ID.String()}, []string{plain.Movements[0].ReferenceType, plain.Movements[0].ReferenceID})
}

func reservationWhole(k *fixture) {
	k.stock(k.oats, k.wh, 3)
	k.requireDetails(mustFail(k, api.InsufficientStock, api.CreateReservation, k.reserving(k.oats, 4, time.Hour)), "inventoryState", api.Available, "current", 3, "requested", 4)
	require.Equal(k, []string{"expiresAt"}, k.invalidFields(mustFail(k, api.ValidationError, api.CreateReservation, k.reserving(k.oats, 1, 0))))
	require.Equal(k, []string{"expiresAt"}, k.invalidFields(mustFail(k, api.ValidationError, api.CreateReservation, k.reserving(k.oats, 1, -time.Hour))))
	e := mustFail(k, api.ValidationError, api.CreateReservation, api.CreateReservationInput{})
	require.ElementsMatch(k, []string{"productId", "locationId", "quantity", "expiresAt"}, k.invalidFields(e))
	gone := k.product("GONE")
	do(k, api.ArchiveProduct, api.ProductInput{ProductID: gone})
	mustFail(k, api.ProductArchived, api.CreateReservation, k.reserving(gone, 1, time.Hour))
	mustFail(k, api.NotFound, api.CommitReservation, api.ReservationInput{ReservationID: newID()})
	mustFail(k, api.NotFound, api.GetReservation, api.ReservationInput{ReservationID: newID()})
	require.Equal(k, api.Quantities{OnHand: 3, Available: 3}, k.quantities(k.oats, k.wh))
	require.Empty(k, do(k, api.ListReservations, api.ListReservationsInput{}).Items)
}

func reservationExpires(k *fixture) {
	k.stock(k.oats, k.wh, 5)
	for name, ask := range map[string]func(id api.ID){
		"the balance": func(api.ID) { require.Equal(k, api.Quantities{OnHand: 5, Available: 5}, k.quantities(k.oats, k.wh)) },
		"itself":      func(id api.ID) { require.Equal(k, api.ReservationExpired, k.reservation(id).Status) },
		"the list": func(api.ID) {
			require.Empty(k, do(k, api.ListReservations, api.ListReservationsInput{Status: api.ReservationPending}).Items)
		},
		"a commit": func(id api.ID) {
			k.requireDetails(mustFail(k, api.ReservationNotPending, api.CommitReservation, api.ReservationInput{ReservationID: id}), "status", api.ReservationExpired)
		},
		"a write": func(api.ID) {
			do(k, api.MoveStock, move(k.oats, k.wh, 5, api.Available, api.Damaged))
			do(k, api.MoveStock, move(k.oats, k.wh, 5, api.Damaged, api.Available))
		},
		"the report": func(api.ID) {
			row := do(k, api.ReportMovements, api.ReportMovementsInput{Operation: api.OpExpire}).Items[0]
			require.Equal(k, k.Now(), row.CreatedAt)
		},
	} {
		r := k.reserve(k.oats, 5, time.Minute).Reservation
		k.Advance(time.Minute - time.Millisecond)
		require.Equal(k, api.ReservationPending, k.reservation(r.ID).Status, "a moment before, %s", name)
		require.EqualValues(k, 5, k.quantities(k.oats, k.wh).Reserved)
		k.Advance(time.Millisecond)
		ask(r.ID)
		require.Equal(k, api.ReservationExpired, k.reservation(r.ID).Status, name)
		require.Equal(k, api.Quantities{OnHand: 5, Available: 5}, k.quantities(k.oats, k.wh), name)
	}

	b := do(k, api.ListBalances, api.ListBalancesInput{StockFilter: api.StockFilter{ProductID: k.oats}}).Items[0]
	var expired []api.Movement
	for _, m := range do(k, api.ExplainBalance, api.ExplainBalanceInput{BalanceID: b.ID}).Movements {
		if m.Operation == api.OpExpire {
			expired = append(expired, m)
		}
	}

	require.Len(k, expired, 12)
	require.Equal(k, []string{"expire reserved -5", "expire available +5"}, legs(expired[:2]))
	require.Equal(k, api.Actor{Type: api.SystemJob, Label: "Bincard"}, expired[0].Actor)
}

func reservationsExpireInOrder(k *fixture) {
	k.stock(k.oats, k.wh, 300)
	var first, late api.Reservation
	for i := range 250 {
		late = k.reserve(k.oats, 1, time.Duration(250-i)*time.Second).Reservation
		if i == 0 {
			first = late
		}
	}

	k.Advance(100 * time.Second)
	require.EqualValues(k, 150, k.quantities(k.oats, k.wh).Reserved)
	require.Equal(k, api.ReservationExpired, k.reservation(late.ID).Status)
	require.Equal(k, api.ReservationPending, k.reservation(first.ID).Status)
	k.Advance(time.Hour)
	require.Equal(k, api.Quantities{OnHand: 300, Available: 300}, k.quantities(k.oats, k.wh), "more than one batch at once")
	require.Len(k, do(k, api.ReportMovements, api.ReportMovementsInput{Operation: api.OpExpire, InventoryState: api.Reserved, Limit: ptr(int64(500))}).Items, 250)
}

func reservationReleased(k *fixture) {
	k.stock(k.oats, k.wh, 9)
	pending, committed, dropped := k.reserve(k.oats, 2, time.Hour).Reservation, k.reserve(k.oats, 3, time.Hour).Reservation, k.reserve(k.oats, 4, time.Hour).Reservation
	do(k, api.CommitReservation, api.ReservationInput{ReservationID: committed.ID})
	out := do(k, api.ReleaseReservation, api.ReservationInput{ReservationID: pending.ID})
	require.Equal(k, []string{"release reserved -2", "release available +2"}, legs(out.Movements))
	require.Equal(k, api.ReservationReleased, out.Reservation.Status)
	out = do(k, api.ReleaseReservation, api.ReservationInput{ReservationID: committed.ID})
	require.Equal(k, []string{"release committed -3", "release available +3"}, legs(out.Movements))
	out = do(k, api.CancelReservation, api.ReservationInput{ReservationID: dropped.ID})
	require.Equal(k, []string{"reservation_cancel reserved -4", "reservation_cancel available +4"}, legs(out.Movements))
	require.Equal(k, api.ReservationCancelled, out.Reservation.Status)
	require.Equal(k, api.Quantities{OnHand: 9, Available: 9}, out.Balance.Quantities)
	k.Advance(2 * time.Hour)
	require.Equal(k, api.ReservationReleased, k.reservation(pending.ID).Status, "a released reservation does not expire")
	require.Empty(k, do(k, api.ReportMovements, api.ReportMovementsInput{Operation: api.OpExpire}).Items)
}

func reservationEnded(k *fixture) {
	k.stock(k.oats, k.wh, 20)
	end := map[api.ReservationStatus]func(in api.ReservationInput){
		api.ReservationReleased:  func(in api.ReservationInput) { do(k, api.ReleaseReservation, in) },
		api.ReservationCancelled: func(in api.ReservationInput) { do(k, api.CancelReservation, in) },
		api.ReservationExpired:   func(api.ReservationInput) { k.Advance(time.Hour) },
		api.ReservationCommitted: func(in api.ReservationInput) { do(k, api.CommitReservation, in) },
	}

	for status, how := range end {
		in := api.ReservationInput{ReservationID: k.reserve(k.oats, 2, time.Hour).Reservation.ID}
		how(in)
		require.Equal(k, status, k.reservation(in.ReservationID).Status)
		k.requireDetails(mustFail(k, api.ReservationNotPending, api.CommitReservation, in), "status", status)
		k.requireDetails(mustFail(k, api.ReservationNotPending, api.CancelReservation, in), "status", status)
		if status != api.ReservationCommitted {
			k.requireDetails(mustFail(k, api.ReservationNotPending, api.ReleaseReservation, in), "status", status)
			k.requireDetails(mustFail(k, api.ReservationNotCommitted, api.FulfillStock, k.fulfilling(k.oats, in.ReservationID)), "status", status)
		}
	}

	require.Equal(k, api.Quantities{OnHand: 20, Available: 18, Committed: 2}, k.quantities(k.oats, k.wh))
}

func (k *fixture) fulfilling(product, reservation api.ID) api.FulfillStockInput {
	return api.FulfillStockInput{StockKey: api.StockKey{ProductID: product, LocationID: k.wh}, ReservationID: reservation}
}

func reservationFulfilled(k *fixture) {
	k.stock(k.oats, k.wh, 9)
	r := k.reserve(k.oats, 5, time.Hour).Reservation
	in := k.fulfilling(k.oats, r.ID)
	mustFail(k, api.ReservationNotCommitted, api.FulfillStock, in)
	do(k, api.CommitReservation, api.ReservationInput{ReservationID: r.ID})
	in.Quantity = ptr(int64(6))
	k.requireDetails(mustFail(k, api.QuantityExceedsPending, api.FulfillStock, in), "pending", 5, "requested", 6)
	in.Quantity = ptr(int64(2))
	out := do(k, api.FulfillStock, in)
	require.Equal(k, []string{"fulfill committed -2", "fulfill onHand -2"}, legs(out.Movements))
	require.Equal(k, r.ID.String(), out.Movements[0].ReferenceID)
	require.EqualValues(k, 2, k.reservation(r.ID).FulfilledQuantity)
	require.Equal(k, api.ReservationCommitted, k.reservation(r.ID).Status)
	in.ProductID = k.product("OTHER")
	require.Equal(k, []string{"productId"}, k.invalidFields(mustFail(k, api.ValidationError, api.FulfillStock, in)))
	in.ProductID, in.Quantity = k.oats, nil
	second := k.reserve(k.oats, 1, time.Hour).Reservation
	do(k, api.CommitReservation, api.ReservationInput{ReservationID: second.ID})
	released := do(k, api.ReleaseReservation, api.ReservationInput{ReservationID: r.ID})
	require.Equal(k, []string{"release committed -3", "release available +3"}, legs(released.Movements), "the rest")
	all := do(k, api.FulfillStock, k.fulfilling(k.oats, second.ID))
	require.Equal(k, api.Quantities{OnHand: 6, Available: 6}, all.Balance.Quantities)
	mustFail(k, api.NothingPending, api.FulfillStock, k.fulfilling(k.oats, second.ID))
	mustFail(k, api.NothingPending, api.ReleaseReservation, api.ReservationInput{ReservationID: second.ID})
}

func reservationHeld(k *fixture) {
	k.stock(k.oats, k.wh, 9)
	r := k.reserve(k.oats, 4, time.Hour).Reservation
	k.requireDetails(mustFail(k, api.StateBackedByDocuments, api.AdjustStock, adjust(k.oats, k.wh, api.Reserved, -1)), "backed", 4, "current", 4)
	k.requireDetails(mustFail(k, api.StateBackedByDocuments, api.MoveStock, move(k.oats, k.wh, 1, api.Reserved, api.Available)), "backed", 4)
	write := api.WriteOffStockInput{StockKey: api.StockKey{ProductID: k.oats, LocationID: k.wh}, Quantity: ptr(int64(1)), InventoryState: "reserved", Reason: "broken"}
	k.requireDetails(mustFail(k, api.StateBackedByDocuments, api.WriteOffStock, write), "backed", 4)
	do(k, api.CommitReservation, api.ReservationInput{ReservationID: r.ID})
	write.InventoryState = "committed"
	k.requireDetails(mustFail(k, api.StateBackedByDocuments, api.WriteOffStock, write), "backed", 4)
	do(k, api.AdjustStock, adjust(k.oats, k.wh, api.Committed, 2))
	do(k, api.WriteOffStock, write)
	require.Equal(k, api.Quantities{OnHand: 10, Available: 5, Committed: 5}, k.quantities(k.oats, k.wh))
}

func reservationLots(k *fixture) {
	stockInLots(k)
	made := k.reserve(k.oats, 8, 100*time.Hour)
	require.Equal(k, []string{"- 2", "A 4", "B 2"}, lotsTaken(made.Movements))
	require.Len(k, made.Movements, 6)
	second := k.reserve(k.oats, 4, 48*time.Hour)
	require.Equal(k, []string{"B 1", "N 3"}, lotsTaken(second.Movements))
	do(k, api.CommitReservation, api.ReservationInput{ReservationID: made.Reservation.ID})
	k.Advance(48 * time.Hour)
	require.EqualValues(k, 6, k.quantities(k.oats, k.wh).Available, "the second reservation has expired")
	do(k, api.ReleaseReservation, api.ReservationInput{ReservationID: made.Reservation.ID})
	in := move(k.oats, k.wh, 14, api.Available, api.Damaged)
	in.LotStrategy = api.FEFO
	require.Equal(k, []string{"A 4", "B 3", "N 5", "- 2"}, lotsTaken(do(k, api.MoveStock, in).Movements), "the stock is back in its lots")
	do(k, api.MoveStock, func() api.MoveStockInput {
		in := move(k.oats, k.wh, 14, api.Damaged, api.Available)
		return in
	}())
	k.requireDetails(mustFail(k, api.InsufficientStock, api.CreateReservation, k.reserving(k.oats, 8, time.Hour)), "current", 7, "requested", 8, "expired", 7)
	require.Equal(k, []string{"- 2", "N 5"}, lotsTaken(k.reserve(k.oats, 7, time.Hour).Movements), "expired lots are skipped")
}

func reservationLotMoved(k *fixture) {
	a, _, n := stockInLots(k)
	r := k.reserve(k.oats, 6, 100*time.Hour).Reservation // 2 in no lot, 4 of A
	swap := func(lot api.ID, q int64, from, to api.State) {
		in := move(k.oats, k.wh, q, from, to)
		in.LotID = lot
		do(k, api.MoveStock, in)
	}
	swap(n, 3, api.Available, api.Reserved)
	swap(a, 3, api.Reserved, api.QualityControl)
	out := do(k, api.CommitReservation, api.ReservationInput{ReservationID: r.ID})
	require.Equal(k, []string{"commit reserved -2", "commit reserved -1", "commit reserved -3", "commit committed +2", "commit committed +1", "commit committed +3"}, legs(out.Movements))
	require.Equal(k, n, out.Movements[2].LotID)
	back := do(k, api.ReleaseReservation, api.ReservationInput{ReservationID: r.ID})
	require.Equal(k, api.Quantities{OnHand: 14, Available: 11, QualityControl: 3}, back.Balance.Quantities)

	swap(a, 1, api.Available, api.QualityControl)
	r = k.reserve(k.oats, 8, 100*time.Hour).Reservation // 2 in no lot, 3 of B and 3 of N
	swap(a, 3, api.QualityControl, api.Reserved)
	swap(n, 3, api.Reserved, api.QualityControl)
	do(k, api.CommitReservation, api.ReservationInput{ReservationID: r.ID})
	in := k.fulfilling(k.oats, r.ID)
	in.Quantity = ptr[int64](5)
	gone := map[api.ID]int64{}
	for _, m := range do(k, api.FulfillStock, in).Movements {
		if m.InventoryState == api.Committed {
			gone[m.LotID] -= m.Quantity
		}
	}
	require.Equal(k, map[api.ID]int64{{}: 2, a: 3}, gone, "the lot that expires first goes first, held or not")
}

func reservationsListed(k *fixture) {
	milk := k.product("MILK")
	k.stock(k.oats, k.wh, 9)
	k.stock(milk, k.shop, 9)
	a := k.reserve(k.oats, 1, time.Hour).Reservation
	in := k.reserving(milk, 1, 3*time.Hour)
	in.LocationID, in.ReferenceType, in.ReferenceID = k.shop, "cart", "C-9"
	b := do(k, api.CreateReservation, in).Reservation
	c := k.reserve(k.oats, 2, 2*time.Hour).Reservation
	do(k, api.CommitReservation, api.ReservationInput{ReservationID: c.ID})
	for name, x := range map[string]struct {
		in   api.ListReservationsInput
		want []api.ID
	}{
		"all":               {api.ListReservationsInput{}, []api.ID{c.ID, b.ID, a.ID}},
		"product":           {api.ListReservationsInput{StockFilter: api.StockFilter{ProductID: k.oats}}, []api.ID{c.ID, a.ID}},
		"location":          {api.ListReservationsInput{StockFilter: api.StockFilter{LocationID: k.shop}}, []api.ID{b.ID}},
		"pending":           {api.ListReservationsInput{Status: api.ReservationPending}, []api.ID{b.ID, a.ID}},
		"committed":         {api.ListReservationsInput{Status: api.ReservationCommitted}, []api.ID{c.ID}},
		"pending of oats":   {api.ListReservationsInput{Status: api.ReservationPending, StockFilter: api.StockFilter{ProductID: k.oats}}, []api.ID{a.ID}},
		"reference":         {api.ListReservationsInput{ReferenceType: "cart", ReferenceID: "C-9"}, []api.ID{b.ID}},
		"expires from":      {api.ListReservationsInput{ExpiresFrom: &c.ExpiresAt}, []api.ID{c.ID, b.ID}},
		"expires to":        {api.ListReservationsInput{ExpiresTo: &c.ExpiresAt}, []api.ID{a.ID}},
		"owner and channel": {api.ListReservationsInput{StockFilter: api.StockFilter{OwnerID: k.Orgs[0].DefaultOwnerID, ChannelID: k.Orgs[0].DefaultChannelID}}, []api.ID{c.ID, b.ID, a.ID}},
		"another owner":     {api.ListReservationsInput{StockFilter: api.StockFilter{OwnerID: newID()}}, nil},
		"pages":             {api.ListReservationsInput{Page: api.Page{Limit: ptr(int64(1))}}, []api.ID{c.ID, b.ID, a.ID}},
	} {
		var got []api.ID
		for {
			page := do(k, api.ListReservations, x.in)
			for _, r := range page.Items {
				require.NotNil(k, r.Product)
				got = append(got, r.ID)
			}
			if page.NextCursor == nil {
				break
			}

			x.in.Cursor = *page.NextCursor
		}

		require.Equal(k, x.want, got, name)
	}

	for _, n := range []int64{0, 101} {
		mustFail(k, api.ValidationError, api.ListReservations, api.ListReservationsInput{Page: api.Page{Limit: &n}})
	}

	require.Equal(k, []string{"expiresFrom"}, k.invalidFields(mustFail(k, api.ValidationError, api.ListReservations,
		api.ListReservationsInput{ExpiresFrom: &b.ExpiresAt, ExpiresTo: &a.ExpiresAt})))
}

func reservationsScoped(k *fixture) {
	k.stock(k.oats, k.wh, 1)
	id := api.ReservationInput{ReservationID: k.reserve(k.oats, 1, time.Hour).Reservation.ID}
	k = k.as(k.As(0, api.Live, api.InventoryRead, api.InventoryWrite, api.ReservationsRead))
	do(k, api.GetReservation, id)
	k.requireDetails(mustFail(k, api.InsufficientScope, api.ReleaseReservation, id), "requiredScope", api.ReservationsWrite)
	k = k.as(k.As(0, api.Live, api.InventoryRead, api.InventoryWrite, api.ReservationsWrite))
	k.requireDetails(mustFail(k, api.InsufficientScope, api.GetReservation, id), "requiredScope", api.ReservationsRead)
}

func reservationRaced(k *fixture) {
	k.stock(k.oats, k.wh, 1)
	k.requireOneSuccess(race(func(int) error {
		_, err := api.CreateReservation.Call(k.ctx, k.svc, k.reserving(k.oats, 1, time.Hour))
		return err
	}), api.InsufficientStock)
	k.Advance(time.Hour)
	for _, err := range race(func(i int) error {
		if i%2 == 0 {
			_, err := api.ListReservations.Call(k.ctx, k.svc, api.ListReservationsInput{})
			return err
		}
		_, err := api.AdjustStock.Call(k.ctx, k.svc, adjust(k.oats, k.wh, api.Damaged, 1))
		return err
	}) {
		require.NoError(k, err)
	}

	require.Len(k, do(k, api.ReportMovements, api.ReportMovementsInput{Operation: api.OpExpire}).Items, 2, "it expired once")
}

package upgrade_test

import (
	"fmt"
	"time"
)

// A catalog has the ids used by the work of a fixture.
type catalog struct {
	oat, milk, drill, kit, gone string // products: untracked, by lot, by serial, kit, archived
	warehouse, shop             string
}

// workInService performs every kind of write, and takes documents of each kind through all
// their states.
func workInService(c *client) catalog {
	k := makeCatalog(c)
	workOnInbounds(c, k)
	workOnOutbounds(c, k)
	workOnTransfers(c, k)
	workOnReservations(c, k)
	workOnStock(c, k)
	for i := range 300 { // enough for a bitmap block and for history totals
		c.post("/stock/adjust", fmt.Sprint("many-", i), fmt.Sprintf(
			`{"productId":%q,"locationId":%q,"inventoryState":"available","quantityDelta":%d,"reason":"count %d"}`, k.oat, k.shop, 1+i%3, i))
	}
	return k
}

func makeCatalog(c *client) (k catalog) {
	k.oat = c.id("/products", "p-oat", `{"sku":"OAT-1L","name":"Oat milk 1 l","barcodes":["4006381333931"],"units":[{"unitCode":"box","factor":12,"barcodes":["14006381333938"]}],"reorderPoint":20}`, "id")
	k.milk = c.id("/products", "p-milk", `{"sku":"MILK","name":"Milk","tracking":"lot","metadata":{"cold":true}}`, "id")
	k.drill = c.id("/products", "p-drill", `{"sku":"DRILL","name":"Drill","tracking":"serial"}`, "id")
	k.kit = c.id("/products", "p-kit", fmt.Sprintf(`{"sku":"KIT","name":"Breakfast","components":[{"productId":%q,"quantity":2}]}`, k.oat), "id")
	k.gone = c.id("/products", "p-gone", `{"sku":"GONE","name":"Discontinued"}`, "id")
	c.post("/products/"+k.gone+"/archive", "p-gone-archive", `{}`)
	k.warehouse = c.id("/locations", "l-wh", `{"code":"WH-1","name":"Main warehouse","type":"warehouse"}`, "id")
	k.shop = c.id("/locations", "l-shop", `{"code":"SHOP","name":"Shop","type":"store"}`, "id")
	c.post("/owners", "owner", `{"code":"ACME","name":"Acme","type":"supplier"}`)
	c.post("/channels", "channel", `{"code":"WEB","name":"Web shop","type":"online"}`)
	return k
}

func workOnInbounds(c *client, k catalog) {
	create := func(key, product string, expected int) string {
		return c.id("/inbounds", key, fmt.Sprintf(`{"productId":%q,"locationId":%q,"expectedQuantity":%d,"supplierName":"Mill & Sons","supplierReference":"M-7","externalOrderType":"edi","externalOrderId":"E-7","referenceType":"po","referenceId":"PO-%s","expectedAt":"2026-12-01T08:00:00Z","metadata":{"dock":4}}`,
			product, k.warehouse, expected, key), "inbound.id")
	}
	create("in-expected", k.oat, 10)
	partial := create("in-partial", k.milk, 60)
	c.post("/inbounds/"+partial+"/receive", "in-partial-1", `{"quantity":20,"lotCode":"A","batchCode":"B1","expiresAt":"2096-03-01T00:00:00Z","lotMetadata":{"farm":7},"reason":"first truck"}`)
	c.post("/inbounds/"+partial+"/receive", "in-partial-2", `{"quantity":10,"lotCode":"B","expiresAt":"2095-03-01T00:00:00Z","metadata":{"truck":2}}`)
	received := create("in-received", k.oat, 100)
	c.post("/inbounds/"+received+"/receive", "in-received-1", `{"quantity":100}`)
	closed := create("in-closed", k.drill, 6)
	c.post("/inbounds/"+closed+"/receive", "in-closed-1", `{"quantity":4,"serials":[{"serialNumber":"S-1"},{"serialNumber":"S-2"},{"serialNumber":"S-3"},{"serialNumber":"S-4","metadata":{"dent":true}}]}`)
	c.post("/inbounds/"+closed+"/close", "in-closed-2", `{"reason":"two missing"}`)
	cancelled := create("in-cancelled", k.oat, 3)
	c.post("/inbounds/"+cancelled+"/cancel", "in-cancelled-1", `{}`)
}

func workOnOutbounds(c *client, k catalog) {
	lines := fmt.Sprintf(`{"locationId":%q,"lines":[{"productId":%q,"requestedQuantity":2},{"productId":%q,"requestedQuantity":6},{"productId":%q,"requestedQuantity":3}],"customerName":"Eve","referenceType":"so","referenceId":"SO-1","expectedShipAt":"2026-12-05T08:00:00Z","metadata":{"gift":true}}`,
		k.warehouse, k.drill, k.milk, k.oat)
	partial := c.id("/outbounds", "out-partial", lines, "outbound.id")
	for _, step := range []string{"pick", "pack", "ship"} {
		c.post("/outbounds/"+partial+"/"+step, "out-partial-"+step, fmt.Sprintf(`{"productId":%q,"serialNumbers":["S-2"]}`, k.drill))
	}
	c.post("/outbounds/"+partial+"/fulfill", "out-partial-fulfill", `{"quantity":1,"serialNumbers":["S-2"],"reason":"truck"}`)
	c.post("/outbounds/"+partial+"/pick", "out-partial-milk", fmt.Sprintf(`{"productId":%q,"quantity":2}`, k.milk))
	single := func(key string, quantity int) string {
		return c.id("/outbounds", key, fmt.Sprintf(`{"productId":%q,"locationId":%q,"requestedQuantity":%d}`, k.oat, k.warehouse, quantity), "outbound.id")
	}
	c.post("/outbounds/"+single("out-fulfilled", 5)+"/fulfill", "out-fulfilled-1", `{}`)
	c.post("/outbounds/"+single("out-cancelled", 4)+"/cancel", "out-cancelled-1", `{}`)
	single("out-allocated", 7)
	c.post("/outbounds", "out-short", fmt.Sprintf(`{"productId":%q,"locationId":%q,"requestedQuantity":9}`, k.oat, k.shop))
}

func workOnTransfers(c *client, k catalog) {
	create := func(key, product string, quantity int) string {
		return c.id("/transfers", key, fmt.Sprintf(`{"productId":%q,"sourceLocationId":%q,"destinationLocationId":%q,"quantity":%d,"referenceType":"to","referenceId":"TO-%s"}`,
			product, k.warehouse, k.shop, quantity, key), "transfer.id")
	}
	create("tr-new", k.oat, 2)
	transit := create("tr-transit", k.milk, 5)
	c.post("/transfers/"+transit+"/ship", "tr-transit-1", `{"quantity":4}`)
	c.post("/transfers/"+transit+"/receive", "tr-transit-2", `{"quantity":1}`)
	serials := create("tr-serials", k.drill, 1)
	c.post("/transfers/"+serials+"/ship", "tr-serials-1", `{"serialNumbers":["S-1"]}`)
	closed := create("tr-closed", k.oat, 3)
	c.post("/transfers/"+closed+"/ship", "tr-closed-1", `{}`)
	c.post("/transfers/"+closed+"/receive", "tr-closed-2", `{"quantity":2}`)
	c.post("/transfers/"+closed+"/close", "tr-closed-3", `{"reason":"one broken"}`)
	cancelled := create("tr-cancelled", k.oat, 3)
	c.post("/transfers/"+cancelled+"/ship", "tr-cancelled-1", `{}`)
	c.post("/transfers/"+cancelled+"/cancel", "tr-cancelled-2", `{}`)
}

func workOnReservations(c *client, k catalog) {
	create := func(key, expires string) string {
		return c.id("/reservations", key, fmt.Sprintf(`{"productId":%q,"locationId":%q,"quantity":4,"expiresAt":%q,"referenceType":"cart","referenceId":"C-1"}`, k.oat, k.warehouse, expires), "reservation.id")
	}
	const later = "2096-01-01T00:00:00Z"
	create("res-pending", later)
	c.post("/reservations/"+create("res-committed", later)+"/commit", "res-committed-1", `{}`)
	fulfilled := create("res-fulfilled", later)
	c.post("/reservations/"+fulfilled+"/commit", "res-fulfilled-1", `{}`)
	c.post("/stock/fulfill", "res-fulfilled-2", fmt.Sprintf(`{"productId":%q,"locationId":%q,"reservationId":%q,"quantity":3}`, k.oat, k.warehouse, fulfilled))
	c.post("/reservations/"+create("res-released", later)+"/release", "res-released-1", `{}`)
	c.post("/reservations/"+create("res-cancelled", later)+"/cancel", "res-cancelled-1", `{}`)
	create("res-expired", time.Now().Add(2*time.Second).UTC().Format(time.RFC3339))
}

func workOnStock(c *client, k catalog) {
	at := fmt.Sprintf(`"productId":%q,"locationId":%q`, k.oat, k.warehouse)
	c.post("/stock/adjust", "st-adjust", `{`+at+`,"inventoryState":"damaged","quantityDelta":2,"reason":"dropped","metadata":{"n":[1,2]}}`)
	c.post("/stock/move-state", "st-move", `{`+at+`,"sourceState":"available","destinationState":"safetyStock","quantity":12,"unitCode":"box","unitQuantity":1,"reason":"buffer"}`)
	c.post("/stock/receive", "st-receive", fmt.Sprintf(`{"productId":%q,"locationId":%q,"quantity":5,"lotCode":"C","referenceType":"walk-in","referenceId":"7"}`, k.milk, k.shop))
	c.post("/stock/return", "st-return", `{`+at+`,"quantity":1,"inventoryState":"qualityControl"}`)
	c.post("/stock/fulfill", "st-fulfill", `{`+at+`,"quantity":1}`)
	c.post("/stock/write-off", "st-write-off", `{`+at+`,"quantity":1,"inventoryState":"damaged","reason":"broken"}`)
	c.post("/stock/reconcile", "st-reconcile", fmt.Sprintf(`{"productId":%q,"locationId":%q,"countedQuantity":9}`, k.oat, k.shop))
	c.post("/stock/adjust", "st-kits", fmt.Sprintf(`{"productId":%q,"locationId":%q,"inventoryState":"available","quantityDelta":3,"reason":"opening"}`, k.kit, k.warehouse))
	c.post("/stock/disassemble", "st-disassemble", fmt.Sprintf(`{"productId":%q,"locationId":%q,"quantity":1}`, k.kit, k.warehouse))
	c.post("/stock/assemble", "st-assemble", fmt.Sprintf(`{"productId":%q,"locationId":%q,"quantity":1}`, k.kit, k.warehouse))
	c.post("/stock/receive", "st-lot", fmt.Sprintf(`{"productId":%q,"locationId":%q,"quantity":1,"lotCode":"OLD"}`, k.milk, k.shop))
	c.post("/stock/write-off", "st-lot-out", fmt.Sprintf(`{"productId":%q,"locationId":%q,"quantity":1,"lotId":%q,"reason":"old"}`, k.milk, k.shop, lotID(c, k.milk, "OLD")))
	c.post("/lots/"+lotID(c, k.milk, "OLD")+"/archive", "st-lot-archive", `{}`)
	key := c.id("/keys", "key-made", `{"label":"second","scopes":["inventory:read"]}`, "key.id")
	c.recorded = c.recorded[:len(c.recorded)-1] // its replay has no secret
	c.post("/keys/"+key+"/revoke", "key-revoked", `{}`)
}

func lotID(c *client, product, code string) string {
	c.t.Helper()
	answer := c.send(exchange{Method: "GET", Path: "/lookup?code=" + code + "&kind=lot"})
	return firstID(c.t, answer.Answer)
}

// readAll records reads of everything.
func readAll(c *client, k catalog) {
	for _, path := range []string{"/products", "/locations", "/owners", "/channels", "/inbounds", "/outbounds", "/transfers", "/reservations",
		"/lots?productId=" + k.milk, "/serials?productId=" + k.drill, "/balances?productId=" + k.oat,
		"/reports/inventory-snapshot", "/reports/stock-movements?limit=100", "/lookup?code=OAT-1L", "/lookup?code=PO-in-partial"} {
		c.get(path)
	}
	for _, product := range []string{k.oat, k.milk} {
		c.get("/balances/" + firstID(c.t, c.get("/balances?productId="+product+"&locationId="+k.shop)) + "/explain")
	}
	c.get("/lots/" + lotID(c, k.milk, "A") + "/trace")
	c.get("/serials/" + firstID(c.t, c.get("/serials?serialNumber=S-2")) + "/history")
}

package api_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

// resources are the resources of the base interface, with their required and optional
// fields. A field that this service adds has the tag extension:"true".
var resources = []struct {
	of                 any
	required, optional string
}{
	{api.Actor{}, "type label", "id"},
	{api.ProductRef{}, "id name sku", ""},
	{api.PlaceRef{}, "id name code type", ""},
	{api.Quantities{}, "onHand available reserved committed incoming damaged qualityControl safetyStock", ""},
	{api.Balance{}, "id organizationId productId locationId ownerId channelId environment onHand available reserved committed " +
		"incoming damaged qualityControl safetyStock version createdAt updatedAt", "product location owner channel"},
	{api.Movement{}, "id organizationId productId locationId ownerId channelId environment operation inventoryState quantity " +
		"balanceBefore balanceAfter actor serials createdAt", "lotId unitCode unitQuantity baseUnitCode reason referenceType referenceId " +
		"source idempotencyKey metadata createdBy product location owner channel lot"},
	{api.Lot{}, "id lotCode status", "batchCode expiresAt"},
	{api.Serial{}, "id serialNumber status productId locationId ownerId channelId", "lotId"},
	{api.Inbound{}, "id organizationId productId locationId ownerId channelId environment expectedQuantity receivedQuantity status version " +
		"actor createdAt updatedAt", "supplierName supplierReference externalOrderType externalOrderId referenceType referenceId expectedAt " +
		"receivedAt closedAt cancelledAt metadata createdBy product location owner channel lines"},
	{api.Outbound{}, "id organizationId productId locationId ownerId channelId environment requestedQuantity allocatedQuantity pickedQuantity " +
		"packedQuantity fulfilledQuantity pendingAllocationQuantity pendingPickQuantity pendingPackQuantity pendingFulfillmentQuantity status " +
		"version actor lines createdAt updatedAt", "customerName externalOrderType externalOrderId referenceType referenceId expectedShipAt " +
		"allocatedAt fulfilledAt cancelledAt metadata createdBy product location owner channel"},
	{api.OutboundLine{}, "id organizationId outboundId productId locationId ownerId channelId environment requestedQuantity allocatedQuantity " +
		"pickedQuantity packedQuantity fulfilledQuantity pendingAllocationQuantity pendingPickQuantity pendingPackQuantity " +
		"pendingFulfillmentQuantity serials createdAt updatedAt", "product location owner channel"},
	{api.OutboundLineSerial{}, "id serialId serial", "pickedAt packedAt shippedAt"},
	{api.Transfer{}, "id organizationId productId sourceLocationId destinationLocationId ownerId channelId environment quantity shippedQuantity " +
		"receivedQuantity pendingShipmentQuantity pendingReceiveQuantity status actor createdAt updatedAt", "referenceType referenceId closeReason " +
		"metadata createdBy shippedAt receivedAt cancelledAt closedAt product sourceLocation destinationLocation owner channel"},
	{api.Reservation{}, "id organizationId productId locationId ownerId channelId environment quantity status expiresAt actor createdAt updatedAt",
		"referenceType referenceId metadata createdBy product location owner channel"},
	{api.MovementRow{}, "id createdAt productId productName productSku locationId locationName locationCode ownerId ownerName ownerCode " +
		"channelId channelName channelCode operation inventoryState quantity balanceBefore balanceAfter",
		"unitCode unitQuantity baseUnitCode referenceType referenceId reason source actorId actorLabel actorType"},
	{api.SnapshotRow{}, "id productId productName productSku locationId locationName locationCode ownerId ownerName ownerCode channelId " +
		"channelName channelCode onHand available reserved committed incoming damaged qualityControl safetyStock updatedAt", ""},
}

// documented are the operations of the base interface. operation is the method, path
// and scope, with "+" if it is billable. input lists the fields of the path, query and
// body, with "!" if required and "=default:minimum:maximum" if limited. output lists the
// members of the response.
var documented = []struct{ operation, input, output string }{
	{"POST /inbounds inventory:write +", "productId! locationId! expectedQuantity! ownerId channelId supplierName supplierReference " +
		"externalOrderType externalOrderId referenceType referenceId expectedAt metadata", "balance inbound movements"},
	{"POST /inbounds/{inboundId}/receive inventory:write +", "inboundId quantity! reason metadata lotId lotCode batchCode expiresAt receivedAt " +
		"lotMetadata serials", "balance inbound movements"},
	{"POST /inbounds/{inboundId}/cancel inventory:write", "inboundId", "balance inbound movements"},
	{"GET /inbounds inventory:read", "status productId locationId ownerId channelId externalOrderType externalOrderId createdFrom createdTo " +
		"limit=25:1:100 cursor", "items nextCursor"},
	{"POST /outbounds/{outboundId}/fulfill inventory:write +", "outboundId ownerId channelId serialIds serialNumbers quantity reason metadata",
		"balance balances outbound movements"},
	{"POST /outbounds/{outboundId}/cancel inventory:write", "outboundId", "balance balances outbound movements"},
	{"GET /outbounds/{outboundId} inventory:read", "outboundId", "id lines"},
	{"POST /transfers/{transferId}/ship transfers:write +", "transferId quantity", "transfer sourceBalance movements"},
	{"POST /transfers/{transferId}/receive transfers:write +", "transferId quantity", "transfer destinationBalance movements"},
	{"POST /transfers/{transferId}/cancel transfers:write", "transferId", "transfer sourceBalance movements"},
	{"GET /transfers transfers:read", "productId sourceLocationId destinationLocationId ownerId channelId status referenceType referenceId " +
		"createdFrom createdTo limit=25:1:100 cursor", "items nextCursor"},
	{"POST /reservations reservations:write +", "productId! locationId! quantity! expiresAt! ownerId channelId referenceType referenceId metadata",
		"balance reservation movements"},
	{"POST /reservations/{reservationId}/commit reservations:write +", "reservationId", "balance reservation movements"},
	{"GET /reservations reservations:read", "productId locationId ownerId channelId status referenceType referenceId expiresFrom expiresTo " +
		"limit=25:1:100 cursor", "items nextCursor"},
	{"POST /stock/adjust inventory:write +", "productId! locationId! inventoryState! quantityDelta! reason! ownerId channelId referenceType " +
		"referenceId metadata", "balance movements"},
	{"POST /stock/move-state inventory:write +", "productId! locationId! quantity! sourceState! destinationState! reason! ownerId channelId " +
		"serialIds serialNumbers unitCode unitQuantity referenceType referenceId metadata lotId lotStrategy", "balance movements"},
	{"POST /stock/disassemble inventory:write +", "productId! locationId! quantity! ownerId channelId reason referenceType referenceId metadata",
		"balance componentBalances movements"},
	{"GET /balances/{balanceId}/explain inventory:read", "balanceId", "balance movements totals"},
	{"GET /reports/stock-movements reports:read", "createdFrom createdTo productId locationId ownerId channelId status operation inventoryState " +
		"limit=50:1:500 cursor", "items nextCursor"},
	{"GET /reports/inventory-snapshot reports:read", "createdFrom createdTo productId locationId ownerId channelId status operation " +
		"inventoryState limit=50:1:500 cursor", "items nextCursor"},
}

// member returns the field with a name in JSON, the query or the path.
func member(t reflect.Type, name string) (reflect.StructField, bool) {
	for _, f := range reflect.VisibleFields(t) {
		sent, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.Anonymous && (sent == name || f.Tag.Get("query") == name || f.Tag.Get("path") == name) {
			return f, true
		}
	}
	return reflect.StructField{}, false
}

// requireType requires that a field has the type that its name implies.
func requireType(t *testing.T, of reflect.Type, name string, f reflect.StructField) {
	t.Helper()
	typ, want := f.Type, reflect.TypeFor[string]()
	if typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	free := map[string]bool{"referenceId": true, "externalOrderId": true, "actorId": true, "supplierReference": true}
	switch {
	case name == "metadata" || name == "lotMetadata":
		want = reflect.TypeFor[api.Metadata]()
	case strings.HasSuffix(name, "At") || strings.HasPrefix(name, "created") && (strings.HasSuffix(name, "From") || strings.HasSuffix(name, "To")):
		want = reflect.TypeFor[time.Time]()
	case strings.HasSuffix(strings.ToLower(name), "quantity") || strings.HasPrefix(name, "balanceB") || strings.HasPrefix(name, "balanceA"),
		name == "version", name == "limit", name == "quantityDelta":
		want = reflect.TypeFor[int64]()
	case strings.HasSuffix(name, "Id") && !free[name], name == "id" && of != reflect.TypeFor[api.Actor]():
		want = reflect.TypeFor[api.ID]()
	case typ.Kind() != reflect.String:
		return // a resource, which has its own entry
	default:
		typ = reflect.TypeFor[string]() // an enum or free text
	}
	require.Equal(t, want, typ, "%s.%s", of.Name(), name)
}

func TestResources_MatchInterface(t *testing.T) {
	t.Parallel()
	for _, r := range resources {
		of := reflect.TypeOf(r.of)
		known := map[string]bool{}
		for i, list := range []string{r.required, r.optional} {
			for _, name := range strings.Fields(list) {
				f, ok := member(of, name)
				require.True(t, ok, "%s has no %s", of.Name(), name)
				require.Equal(t, i > 0, strings.HasSuffix(f.Tag.Get("json"), ",omitzero"), "%s.%s", of.Name(), name)
				requireType(t, of, name, f)
				known[name] = true
			}
		}
		for _, f := range reflect.VisibleFields(of) {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			require.True(t, f.Anonymous || known[name] || f.Tag.Get("extension") == "true", "%s has %s, which the interface does not", of.Name(), name)
		}
	}
}

func TestOperations_MatchInterface(t *testing.T) {
	t.Parallel()
	undocumented := map[string]bool{}
	for _, spec := range api.Operations() {
		if !spec.Extension {
			undocumented[spec.Method+" "+spec.Path] = true
		}
	}
	for _, d := range documented {
		words := strings.Fields(d.operation)
		var spec *api.Spec
		for _, s := range api.Operations() {
			if s.Method == words[0] && s.Path == words[1] {
				spec = s
			}
		}
		require.NotNil(t, spec, d.operation)
		delete(undocumented, words[0]+" "+words[1])
		require.False(t, spec.Extension, d.operation)
		require.Equal(t, words[2], string(spec.Scope), d.operation)
		require.Equal(t, len(words) > 3, spec.Billable, d.operation)
		required := map[string]bool{}
		for _, name := range strings.Fields(d.input) {
			name, bounds, _ := strings.Cut(name, "=")
			name, isRequired := strings.CutSuffix(name, "!")
			f, ok := member(spec.Input(), name)
			require.True(t, ok, "%s has no input %s", d.operation, name)
			requireType(t, spec.Input(), name, f)
			required[name] = isRequired
			if bounds != "" {
				require.Equal(t, bounds, f.Tag.Get("default")+":"+f.Tag.Get("minimum")+":"+f.Tag.Get("maximum"), "%s %s", d.operation, name)
			}
		}
		for _, f := range reflect.VisibleFields(spec.Input()) {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			require.Equal(t, required[name], f.Tag.Get("required") == "true", "%s %s", d.operation, name)
		}
		for _, name := range strings.Fields(d.output) {
			f, ok := member(spec.Output(), name)
			require.True(t, ok, "%s returns no %s", d.operation, name)
			require.False(t, strings.HasSuffix(f.Tag.Get("json"), ",omitzero"), "%s may omit %s", d.operation, name)
		}
	}
	require.Empty(t, undocumented, "the interface does not have these operations")
}

func TestEnums_MatchInterface(t *testing.T) {
	t.Parallel()
	for want, got := range map[string][]string{
		"live test":               api.Environment("").Values(),
		"user api_key system":     {string(api.User), string(api.APIKey), string(api.SystemJob)},
		"warehouse store virtual": api.LocationType("").Values(),
		"onHand available reserved committed incoming damaged qualityControl safetyStock": api.State("").Values(),
		"available reserved damaged qualityControl safetyStock":                           api.MovableState("").Values(),
		"receive adjust fulfill write_off return_stock move_state reconcile reserve commit release reservation_cancel expire transfer_out " +
			"transfer_in transfer_cancel transfer_close inbound_expect inbound_receive inbound_close inbound_cancel outbound_allocate " +
			"outbound_pick outbound_pack outbound_ship outbound_fulfill outbound_cancel composition_assemble_component " +
			"composition_assemble_output composition_disassemble_input composition_disassemble_component": api.MovementOperation("").Values(),
		"in_stock picked packed consumed written_off archived": {string(api.InStock), string(api.Picked), string(api.Packed), string(api.Consumed), string(api.WrittenOff), string(api.SerialArchived)},
		"active archived": api.UseStatus("").Values(),
		"expected partiallyReceived received closed cancelled": api.InboundStatus("").Values(),
		"inTransit received cancelled closed":                  api.TransferStatus("").Values(),
		"pending committed released expired cancelled":         api.ReservationStatus("").Values(),
		"fefo": api.LotStrategy("").Values(),
		"backordered partiallyAllocated allocated partiallyPicked picked partiallyPacked packed partiallyFulfilled fulfilled cancelled": api.OutboundStatus("").Values(),
		"inventory:read inventory:write transfers:read transfers:write reservations:read reservations:write reports:read admin":         api.Scope("").Values(),
		"api_requests billable_inventory_operations active_products":                                                                    {string(api.APIRequests), string(api.BillableOperations), string(api.ActiveProducts)},
	} {
		require.Equal(t, strings.Fields(want), got)
	}
}

package api_test

import (
	"context"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

// allOperations are the operations of services and of nodes.
func allOperations() []*api.Spec { return slices.Concat(api.Operations(), api.NodeOperations()) }

var pathParameters = regexp.MustCompile(`{[^}]+}`)

func field(of reflect.Type, name string) bool {
	_, ok := of.FieldByName(name)
	return ok
}

func TestSpec_HasNameAndScope(t *testing.T) {
	t.Parallel()
	seen, routes := map[string]bool{}, map[string]bool{}
	for _, spec := range allOperations() {
		require.Contains(t, []string{http.MethodGet, http.MethodPost, http.MethodPatch}, spec.Method, spec.ID)
		require.False(t, routes[spec.Method+spec.Path], spec.Path)
		routes[spec.Method+spec.Path] = true
		for _, name := range pathParameters.FindAllString(spec.Path, -1) {
			_, ok := member(spec.Input(), strings.Trim(name, "{}"))
			require.True(t, ok, "%s has no field for %s", spec.ID, name)
		}
		require.NotEmpty(t, spec.Summary, spec.ID)
		require.Contains(t, spec.Scope.Values(), string(spec.Scope), spec.ID)
		require.False(t, seen[spec.ID], "two operations have the ID %s", spec.ID)
		seen[spec.ID] = true
	}
	for _, spec := range api.Operations() {
		require.Same(t, spec, api.FindOperation(spec.ID))
	}
	require.Nil(t, api.FindOperation("unknown"))
}

func TestSpec_WriteHasDirection(t *testing.T) {
	t.Parallel()
	known := []api.Direction{api.DirectionNone, api.DirectionIn, api.DirectionOut, api.DirectionEither, api.DirectionWithin}
	for _, spec := range api.Operations() {
		if !spec.Writes() {
			require.Empty(t, spec.Direction, "%s is a read", spec.ID)
			continue
		}
		require.Contains(t, known, spec.Direction, "%s needs a Direction: does stock come in, go out or stay? Use DirectionNone if nobody handles stock", spec.ID)
		if strings.HasPrefix(spec.Path, "/stock/") {
			require.True(t, spec.Physical(), "%s changes stock directly", spec.ID)
		}
		if spec.Physical() {
			require.True(t, field(spec.Output(), "Movements"), "%s moves stock and returns no movements", spec.ID)
		}
	}
}

func TestSpec_WriteHasConflicts(t *testing.T) {
	t.Parallel()
	for _, spec := range api.Operations() {
		if !spec.Writes() {
			require.Empty(t, spec.Conflicts, "%s is a read", spec.ID)
			continue
		}
		require.NotNil(t, spec.Conflicts, "%s needs Conflicts: use []Code{} if it has none", spec.ID)
		for i, code := range spec.Conflicts {
			require.Equal(t, http.StatusConflict, code.Status(), "%s of %s", code, spec.ID)
			require.NotContains(t, spec.Conflicts[:i], code, spec.ID)
		}
	}
}

func TestSpec_DocumentMatchesPath(t *testing.T) {
	t.Parallel()
	kinds := []api.DocumentKind{api.DocInbound, api.DocOutbound, api.DocTransfer, api.DocReservation}
	for _, spec := range allOperations() {
		var want api.DocumentKind
		for _, kind := range kinds {
			if strings.HasPrefix(spec.Path+"/", "/"+string(kind)+"s/") {
				want = kind
			}
		}
		require.Equal(t, want, spec.Document, "%s needs the Document of its path", spec.ID)
		if spec.Document == "" {
			require.False(t, spec.AtDestination, spec.ID)
			continue
		}
		require.True(t, spec.Document == api.DocTransfer || !spec.AtDestination, "only a transfer has a destination: %s", spec.ID)
		in := reflect.New(spec.Input())
		req := &api.Request{Spec: spec, Input: in.Interface()}
		require.Zero(t, req.DocumentID(), spec.ID)
		if strings.Contains(spec.Path, "{") {
			id := api.ID{1}
			name := strings.ToUpper(string(spec.Document[:1])) + string(spec.Document[1:]) + "ID"
			in.Elem().FieldByName(name).Set(reflect.ValueOf(id))
			require.Equal(t, id, req.DocumentID(), spec.ID)
		}
	}
}

func TestSpec_DestinationOfTransfers(t *testing.T) {
	t.Parallel()
	for _, spec := range api.Operations() {
		atDestination := spec.Output() == reflect.TypeFor[api.TransferDestinationResult]()
		require.Equal(t, atDestination, spec.AtDestination, "%s returns the balance at the other end", spec.ID)
	}
}

// TestSpec_AllLocations requires that a write without a location is marked as affecting
// all of them.
func TestSpec_AllLocations(t *testing.T) {
	t.Parallel()
	for _, spec := range api.Operations() {
		named := spec.Document != "" || spec.HasMember("locationId")
		switch {
		case !spec.Writes() || named:
			require.False(t, spec.AllLocations, spec.ID)
		case spec.ServiceOnly || spec.ID == api.CreateProduct.Spec.ID || spec.ID == api.LinkBarcode.Spec.ID || spec.ID == api.UnlinkBarcode.Spec.ID: // each location may register what it receives
		default:
			require.True(t, spec.AllLocations, "%s names no location and needs AllLocations", spec.ID)
		}
	}
}

func TestSpec_ServiceOnly(t *testing.T) {
	t.Parallel()
	for _, spec := range api.Operations() {
		require.False(t, spec.ServiceOnly && spec.Discovery, spec.ID)
		if spec.Scope == api.Admin {
			require.True(t, spec.ServiceOnly, "%s manages the service", spec.ID)
		}
	}
	for _, spec := range api.NodeOperations() {
		require.False(t, spec.ServiceOnly || spec.Discovery, "%s is not an operation of the service", spec.ID)
	}
}

func TestSpec_ReadOfMovementsIsHistory(t *testing.T) {
	t.Parallel()
	for _, spec := range api.Operations() {
		reads := field(spec.Output(), "Movements") || spec.ID == api.ListNextCounts.Spec.ID || spec.ID == api.GetPlate.Spec.ID ||
			spec.Output() == reflect.TypeFor[api.List[api.MovementRow]]()
		require.Equal(t, !spec.Writes() && reads, spec.History, spec.ID)
	}
}

func TestSpec_ExampleNamesMembers(t *testing.T) {
	t.Parallel()
	for _, spec := range allOperations() {
		for name := range spec.Example {
			_, ok := member(spec.Input(), name)
			require.True(t, ok, "%s takes no %s", spec.ID, name)
		}
	}
}

func TestRequest_StockKey(t *testing.T) {
	t.Parallel()
	for _, spec := range api.Operations() {
		if spec == api.AllocateOutbounds.Spec { // for all owners and channels
			continue
		}
		in := reflect.New(spec.Input())
		key := api.StockKey{ProductID: api.ID{1}, LocationID: api.ID{2}, OwnerID: api.ID{3}, ChannelID: api.ID{4}}
		want := spec.Writes()
		for _, name := range []string{"ProductID", "LocationID", "OwnerID", "ChannelID"} {
			f := in.Elem().FieldByName(name)
			if want = want && f.IsValid(); f.IsValid() {
				f.Set(reflect.ValueOf(key).FieldByName(name))
			}
		}
		got, ok := (&api.Request{Spec: spec, Input: in.Interface()}).StockKey()
		require.Equal(t, want, ok, spec.ID)
		if want {
			require.Equal(t, key, got, spec.ID)
		}
	}
}

func TestRequest_Locations(t *testing.T) {
	t.Parallel()
	a, b := api.ID{1}, api.ID{2}
	req := &api.Request{Spec: api.CreateTransfer.Spec, Input: &api.CreateTransferInput{SourceLocationID: a, DestinationLocationID: b}}
	require.Equal(t, []api.ID{a, b}, req.Locations())
	req = &api.Request{Spec: api.AdjustStock.Spec, Input: &api.AdjustStockInput{StockKey: api.StockKey{LocationID: b}}}
	require.Equal(t, []api.ID{b}, req.Locations())
	require.Empty(t, (&api.Request{Spec: api.CreateProduct.Spec, Input: &api.CreateProductInput{}}).Locations())
}

// TestResponse_MovementsAndDocument requires that the output of every write implements
// movements and documentID if it has them.
func TestResponse_MovementsAndDocument(t *testing.T) {
	t.Parallel()
	for _, spec := range api.Operations() {
		if !spec.Writes() {
			continue
		}
		out := reflect.New(spec.Output())
		if f := out.Elem().FieldByName("Movements"); f.IsValid() {
			f.Set(reflect.ValueOf([]api.Movement{{Quantity: 1}}))
			require.Len(t, (&api.Response{Output: out.Interface()}).Movements(), 1, "%s needs the method movements", out.Type())
		}
		if spec.Document != "" && spec != api.AllocateOutbounds.Spec { // which changes several
			name := strings.ToUpper(string(spec.Document[:1])) + string(spec.Document[1:])
			out.Elem().FieldByName(name).FieldByName("ID").Set(reflect.ValueOf(api.ID{1}))
			require.Equal(t, api.ID{1}, (&api.Response{Output: out.Interface()}).DocumentID(), "%s needs the method documentID", out.Type())
		}
	}
}

func TestMovementOperation_Document(t *testing.T) {
	t.Parallel()
	for _, op := range append(slices.Clone(api.MovementOperations), api.OpReservationCreate) {
		prefix, _, _ := strings.Cut(string(op), "_")
		kind := op.Document()
		switch prefix {
		case "inbound", "outbound", "transfer", "reservation":
			require.Equal(t, prefix, string(kind), op)
		case "reserve", "commit", "release", "expire":
			require.Equal(t, api.DocReservation, kind, op)
		default:
			require.Empty(t, kind, op)
		}
	}
}

func TestReadDocument(t *testing.T) {
	t.Parallel()
	for _, spec := range api.Operations() {
		if spec.Document == "" {
			continue
		}
		doc, err := api.ReadDocument(t.Context(), emptyService{}, spec.Document, api.ID{1})
		require.NoError(t, err, spec.ID)
		require.NotEmpty(t, doc.References(), spec.ID)
	}
	_, err := api.ReadDocument(t.Context(), emptyService{}, api.DocLot, api.ID{1})
	require.Error(t, err)
}

// emptyService returns empty outputs.
type emptyService struct{}

func (emptyService) Do(_ context.Context, req *api.Request) (*api.Response, error) {
	return &api.Response{Output: req.Spec.NewOutput()}, nil
}

func TestStockDocument_StockKeys(t *testing.T) {
	t.Parallel()
	a, b := api.ID{1}, api.ID{2}
	tr := &api.Transfer{ProductID: a, SourceLocationID: a, DestinationLocationID: b}
	require.Equal(t, []api.StockKey{{ProductID: a, LocationID: a}, {ProductID: a, LocationID: b}}, tr.StockKeys())
	out := &api.Outbound{LocationID: b, Lines: []api.OutboundLine{{ProductID: a}, {ProductID: b}}}
	require.Equal(t, []api.StockKey{{ProductID: a, LocationID: b}, {ProductID: b, LocationID: b}}, out.StockKeys())
	for _, doc := range []api.StockDocument{&api.Inbound{ProductID: a, LocationID: b}, &api.Outbound{ProductID: a, LocationID: b}, &api.Reservation{ProductID: a, LocationID: b}} {
		require.Equal(t, []api.StockKey{{ProductID: a, LocationID: b}}, doc.StockKeys())
	}
}

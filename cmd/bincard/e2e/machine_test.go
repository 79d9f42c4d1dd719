package e2e_test

import (
	"context"
	"flag"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server"
	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/server/testenv"
)

// parallelTests is the default of -parallel. It does not depend on the number of CPUs, because
// the tests mostly wait for screens and clocks.
const parallelTests = 5

func TestMain(m *testing.M) {
	testenv.SetClock()
	flag.Parse()
	if f := flag.Lookup("test.parallel"); f.Value.String() == f.DefValue {
		_ = f.Value.Set(strconv.Itoa(parallelTests))
	}
	code := m.Run()
	testenv.Remove()
	os.Exit(code)
}

// program returns the path of the program under test.
func program(t testing.TB) string {
	t.Helper()
	path, err := testenv.Program()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// withClockOffset returns the same machine with its clock off by this much.
func (h *machine) withClockOffset(by time.Duration) *machine {
	shift := (time.Until(testenv.Now()) + by).Round(time.Second)
	env := slices.DeleteFunc(slices.Clone(h.env), func(v string) bool { return strings.HasPrefix(v, testenv.ClockVariable+"=") })
	other := *h
	other.env = append(env, testenv.ClockVariable+"="+shift.String())
	return &other
}

// A machine has its own home, settings and data, and the environment for processes on it.
type machine struct {
	t   testing.TB
	dir string
	env []string
}

// newMachine returns an empty machine, whose terminals work at WH-1 if they may. Its path is
// short because socket paths are limited.
func newMachine(t testing.TB) *machine {
	t.Helper()
	dir, err := os.MkdirTemp("", "bc")
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	h := &machine{t: t, dir: dir, env: []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C.UTF-8", "SHELL=/bin/sh", "HOME=" + dir,
		"BINCARD_LOCATION=WH-1"}}
	h.env = append(h.env, testenv.Environ()...)
	for _, name := range []string{"CONFIG_HOME", "DATA_HOME", "STATE_HOME", "CACHE_HOME", "RUNTIME_DIR"} {
		path := filepath.Join(dir, strings.ToLower(name))
		require.NoError(t, os.Mkdir(path, 0o700))
		h.env = append(h.env, "XDG_"+name+"="+path)
	}
	t.Cleanup(func() {
		if log := h.readFile("state_home", "bincard", "bincard.log"); t.Failed() {
			t.Logf("the end of the program's log:\n%s", log[max(0, len(log)-4000):])
		}
	})

	return h
}

// withEnv returns the same machine with additional environment variables.
func (h *machine) withEnv(env ...string) *machine {
	other := *h
	other.env = append(append([]string(nil), h.env...), env...)
	return &other
}

// path returns the path of a file on the machine.
func (h *machine) path(elem ...string) string {
	return filepath.Join(append([]string{h.dir}, elem...)...)
}

// readFile returns the content of a file on the machine, or "" if it does not exist.
func (h *machine) readFile(elem ...string) string {
	text, err := os.ReadFile(h.path(elem...))
	if err != nil && !os.IsNotExist(err) {
		require.NoError(h.t, err)
	}
	return string(text)
}

// drafts returns the number of drafts on the machine.
func (h *machine) drafts() int {
	found, err := filepath.Glob(h.path("state_home", "bincard", "drafts", "*", "*.draft"))
	require.NoError(h.t, err)
	return len(found)
}

// Barcodes of the products in company.
const (
	oatPiece   = "9521000000018"  // OAT-1L, tracked by lot
	oatBox     = "19521000000015" // a box of 12 OAT-1L
	mugPiece   = "9521000000025"  // MUG-W
	scalePiece = "9521000000032"  // SCA-5, tracked by serial number
)

// expiry formats the expiration date of new lots: "060102" for a label, for example.
func expiry(layout string) string { return expires().Format(layout) }

// expires returns the expiration date of new lots, a year after the tests start.
var expires = sync.OnceValue(func() time.Time { return testenv.Now().AddDate(1, 0, 0) })

// A company is a small organization with known stock: PO-1 expects 24 OAT-1L at WH-1,
// TR-1 moves 10 of the 30 MUG-W at WH-1 to ST-1, and SO-1 orders one of the 3 SCA-5 (SN-1
// to SN-3).
type company struct {
	t        testing.TB
	dir      string // the data directory
	database string // the URL of a database instead
	org      api.ID
	key      string // API key of the live environment

	oat, mug, scale api.ID
	main, store     api.ID
	inbound         api.ID // PO-1
	transfer        api.ID // TR-1
	outbound        api.ID // SO-1
}

// newCompany creates the company in a data directory.
func newCompany(t testing.TB, dir string) *company {
	t.Helper()
	c := &company{t: t, dir: dir}
	c.create()
	return c
}

// newCompanyIn creates the company in a database.
func newCompanyIn(t testing.TB, url string) *company {
	t.Helper()
	c := &company{t: t, database: url}
	c.create()
	return c
}

func (c *company) create() {
	c.t.Helper()
	t := c.t
	c.withLedger(func(l *ledger.Ledger) {
		org, err := l.CreateOrganization(t.Context(), "Harbor Goods")
		require.NoError(t, err)
		c.org = org.ID
		c.key, _, err = l.CreateKey(t.Context(), account.KeyInput{Organization: org.ID, Environment: api.Live, Label: "till", Scopes: api.Scopes})
		require.NoError(t, err)
		c.addStock(c.service(l))
	})
}

func (c *company) addStock(svc api.Service) {
	location := func(code, name string) api.ID {
		return do(c.t, svc, api.CreateLocation, api.CreateLocationInput{Code: code, Name: name, Type: api.Warehouse}).ID
	}
	c.main, c.store = location("WH-1", "Main warehouse"), location("ST-1", "Quay store")
	c.oat = do(c.t, svc, api.CreateProduct, api.CreateProductInput{SKU: "OAT-1L", Name: "Oat milk", Barcodes: []string{oatPiece},
		Tracking: api.TrackLot, Units: []api.Unit{{UnitCode: "box", Factor: 12, Barcodes: []string{oatBox}}}}).ID
	c.mug = do(c.t, svc, api.CreateProduct, api.CreateProductInput{SKU: "MUG-W", Name: "White mug", Barcodes: []string{mugPiece}}).ID
	c.scale = do(c.t, svc, api.CreateProduct, api.CreateProductInput{SKU: "SCA-5", Name: "Kitchen scale", Barcodes: []string{scalePiece},
		Tracking: api.TrackSerial}).ID
	c.inbound = do(c.t, svc, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: c.oat, LocationID: c.main}, ExpectedQuantity: 24,
		SupplierName: "Nordic Foods", Reference: api.Reference{ReferenceType: "purchase_order", ReferenceID: "PO-1"}}).Inbound.ID
	do(c.t, svc, api.AdjustStock, api.AdjustStockInput{StockKey: api.StockKey{ProductID: c.mug, LocationID: c.main}, InventoryState: api.OnHand,
		QuantityDelta: 30, Reason: "opening stock"})
	c.transfer = do(c.t, svc, api.CreateTransfer, api.CreateTransferInput{ProductID: c.mug, SourceLocationID: c.main,
		DestinationLocationID: c.store, Quantity: 10, Reference: api.Reference{ReferenceType: "transfer_order", ReferenceID: "TR-1"}}).Transfer.ID
	scales := do(c.t, svc, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: c.scale, LocationID: c.main}, ExpectedQuantity: 3}).Inbound
	do(c.t, svc, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: scales.ID, Quantity: 3,
		Serials: []api.SerialInput{{SerialNumber: "SN-1"}, {SerialNumber: "SN-2"}, {SerialNumber: "SN-3"}}})
	one := int64(1)
	c.outbound = do(c.t, svc, api.CreateOutbound, api.CreateOutboundInput{ProductID: c.scale, LocationID: c.main, RequestedQuantity: &one,
		CustomerName: "Café Lumen", Reference: api.Reference{ReferenceType: "sales_order", ReferenceID: "SO-1"}}).Outbound.ID
}

// on returns a machine whose commands use the company's ledger.
func (c *company) on(h *machine) *machine {
	if c.database != "" {
		return h.withEnv("BINCARD_STORE=" + c.database)
	}
	return h.withEnv("BINCARD_DATA=" + c.dir)
}

// withLedger runs work on the ledger and then verifies it. No program may have the data
// directory open.
func (c *company) withLedger(work func(l *ledger.Ledger)) {
	c.t.Helper()
	s, err := server.Open(server.Config{Dir: c.dir, Database: c.database, CreateTables: true, Now: testenv.Now, Log: slog.New(slog.DiscardHandler), NoSync: true})
	require.NoError(c.t, err)
	defer s.Close()
	work(s.Ledger)
	proof, err := s.Ledger.Verify(context.Background())
	require.NoError(c.t, err)
	require.Empty(c.t, proof.Faults, "the ledger does not add up")
}

// service returns the company's service on an open ledger.
func (c *company) service(l *ledger.Ledger) api.Service {
	return api.As(l, api.Caller{Organization: c.org, Environment: api.Live, Scopes: api.Scopes,
		Actor: api.Actor{Type: api.SystemJob, Label: "test"}}, "")
}

// do performs an operation that must succeed.
func do[I, O any](t testing.TB, svc api.Service, op api.Operation[I, O], in I) O {
	t.Helper()
	out, err := op.Call(context.Background(), svc, in)
	require.NoError(t, err, op.Spec.ID)
	return out
}

// balance returns the balance of a product at a location. It is zero if the product was
// never there.
func (c *company) balance(svc api.Service, product, location api.ID) api.Balance {
	c.t.Helper()
	list := do(c.t, svc, api.ListBalances, api.ListBalancesInput{StockFilter: api.StockFilter{ProductID: product, LocationID: location}})
	if len(list.Items) == 0 {
		return api.Balance{}
	}
	require.Len(c.t, list.Items, 1)
	return list.Items[0]
}

// addLargeInbound creates PO-2, an inbound too large to be completed.
func (c *company) addLargeInbound() {
	c.t.Helper()
	c.withLedger(func(l *ledger.Ledger) {
		do(c.t, c.service(l), api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: c.oat, LocationID: c.main},
			ExpectedQuantity: 10_000_000, Reference: api.Reference{ReferenceType: "purchase_order", ReferenceID: "PO-2"}})
	})
}

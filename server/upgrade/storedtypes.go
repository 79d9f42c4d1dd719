package upgrade

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// CheckStoredTypes compares the fields of the types, and of all types within them, with those that the
// newest fixture recorded under name: none may be missing, and none may be another. New ones
// may be there, since the fixtures prove that rows without them still read. If
// BINCARD_FIXTURE names a new fixture, it records the fields instead.
func CheckStoredTypes(t *testing.T, name string, types ...any) {
	t.Helper()
	testdata := filepath.Join(projectRoot(t), "server", "upgrade", "testdata")
	text := describeTypes(types)
	if fixture := os.Getenv("BINCARD_FIXTURE"); fixture != "" {
		require.NoError(t, os.WriteFile(filepath.Join(testdata, fixture, name+".types.txt"), []byte(text), 0o644))
		return
	}

	recorded, err := os.ReadFile(filepath.Join(testdata, newestFixture(t, testdata), name+".types.txt"))
	require.NoError(t, err)
	before, now := strings.Split(string(recorded), "\n"), strings.Split(text, "\n")
	missing := slices.DeleteFunc(slices.Clone(before), func(line string) bool { return slices.Contains(now, line) })
	require.Empty(t, missing,
		"stored types changed: check that older rows still read, then record a fixture: make fixture NAME=…")
}

// newestFixture returns the fixture that was recorded last.
func newestFixture(t *testing.T, testdata string) (fixture string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(testdata, "*", "keys.json"))
	require.NoError(t, err)
	var last time.Time
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		var keys struct {
			RecordedAt time.Time `json:"recordedAt"`
		}
		require.NoError(t, json.Unmarshal(text, &keys))
		if keys.RecordedAt.After(last) {
			fixture, last = filepath.Base(filepath.Dir(file)), keys.RecordedAt
		}
	}

	require.NotEmpty(t, fixture)

	return fixture
}

// movedTypes are the types that have another package or name than when they were first
// recorded, with their recorded names. Where a type is declared does not affect its rows.
var movedTypes = map[string]string{
	"account.KeyRow":          "ledger.apiKey",
	"account.Month":           "ledger.month",
	"account.OrganizationRow": "ledger.organizationRow",
	"account.PlanRow":         "ledger.planRow",
	"account.UsageRow":        "ledger.usageRow",
	"account.APIKey":          "account.APIKey",

	"count.Count":       "dock.Count",
	"count.FeedEntry":   "dock.FeedEntry",
	"count.feedKind":    "dock.feedKind",
	"panel.draft":       "dock.draft",
	"submit.Step":       "dock.Step",
	"submit.Submission": "dock.Submission",
	"config.Settings":   "main.config",
	"config.Operators":  "operators.List",
	"config.Operator":   "operators.Operator",
	"config.Roles":      "operators.Roles",

	"journal.BalanceAfter": "ledger.balanceAfter",
	"journal.DocumentKind": "ledger.documentKind",
	"journal.DocumentRef":  "ledger.documentRef",
	"journal.Entry":        "ledger.entry",
	"journal.Movement":     "ledger.movement",
	"journal.Revision":     "ledger.revision",

	"replica.Position": "ledger.ReplicaPosition",
	"role.Rules":       "operators.Role",

	"stored.Balance":       "ledger.balance",
	"stored.BalanceKey":    "ledger.balanceKey",
	"stored.Hold":          "ledger.hold",
	"stored.InTransit":     "ledger.inTransit",
	"stored.Inbound":       "ledger.inbound",
	"stored.Lot":           "ledger.lot",
	"stored.LotBalance":    "ledger.lotBalance",
	"stored.LotBalanceKey": "ledger.lotBalanceKey",
	"stored.LotHold":       "ledger.lotHold",
	"stored.Outbound":      "ledger.outbound",
	"stored.Place":         "ledger.placeRow",
	"stored.Product":       "ledger.product",
	"stored.Reservation":   "ledger.reservation",
	"stored.RulesRow":      "ledger.rulesRow",
	"stored.Serial":        "ledger.serial",
	"stored.StockKey":      "ledger.stockKey",
	"stored.Transfer":      "ledger.transfer",
}

var qualifiedName = regexp.MustCompile(`\b[a-z]+\.\w+`)

// recordedName returns the recorded name of a type, in which the names of moved types
// are replaced.
func recordedName(typ reflect.Type) string {
	return qualifiedName.ReplaceAllStringFunc(typ.String(),
		func(name string) string { return cmp.Or(movedTypes[name], name) })
}

// recordedField returns the recorded name of a field, which for an embedded field is
// that of its type.
func recordedField(f reflect.StructField) string {
	if !f.Anonymous {
		return f.Name
	}
	name := recordedName(f.Type)
	return name[strings.LastIndexByte(name, '.')+1:]
}

// describeTypes lists the fields of structs, each struct once. Fields tagged stored:"-" are
// in memory only, or are the bytes of fields that only a newer version knows.
func describeTypes(types []any) string {
	var text strings.Builder
	seen := map[reflect.Type]bool{}
	var add func(reflect.Type)
	add = func(typ reflect.Type) {
		switch typ.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Array:
			add(typ.Elem())
			return
		case reflect.Map:
			add(typ.Key())
			add(typ.Elem())
			return
		case reflect.Struct:
		default:
			return
		}

		if seen[typ] || !strings.HasPrefix(typ.PkgPath(), "bincard/") {
			return
		}

		seen[typ] = true
		fmt.Fprintf(&text, "%s\n", recordedName(typ))
		var within []reflect.Type
		for i := range typ.NumField() {
			f := typ.Field(i)
			if f.Tag.Get("stored") == "-" {
				continue
			}
			if !f.IsExported() && !f.Anonymous {
				continue
			}

			fmt.Fprintf(&text, "\t%s %s %s\n", recordedField(f), recordedName(f.Type), f.Tag.Get("json"))
			within = append(within, f.Type)
		}

		for _, typ := range within {
			add(typ)
		}
	}

	for _, x := range types {
		add(reflect.TypeOf(x))
	}

	return text.String()
}

// projectRoot returns the directory of go.mod.
func projectRoot(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	require.NoError(t, err)
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		require.NotEqual(t, dir, filepath.Dir(dir), "no go.mod above the test")
		dir = filepath.Dir(dir)
	}
}

package export_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/sheet"
	"bincard/server/testenv"
	"bincard/tui/tuitest"
	"bincard/views/export"
)

// convert converts a file to .xlsx with LibreOffice, and reads the result. filter is how to import a
// text file.
func convert(t *testing.T, name string, file []byte, filter string) *sheet.Table {
	t.Helper()
	program, err := exec.LookPath("soffice")
	if err != nil {
		t.Skip("LibreOffice is not installed")
	}

	in, out := t.TempDir(), t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(in, name), file, 0o600))
	args := []string{"-env:UserInstallation=file://" + t.TempDir(), "--headless"}
	if filter != "" {
		args = append(args, "--infilter="+filter)
	}
	text, err := exec.CommandContext(t.Context(), program,
		append(args, "--convert-to", "xlsx", "--outdir", out, filepath.Join(in, name))...).CombinedOutput()
	require.NoError(t, err, "%s", text)

	base := name[:len(name)-len(filepath.Ext(name))]
	result, err := os.ReadFile(filepath.Join(out, base+".xlsx"))
	require.NoError(t, err, "%s", text)
	table, err := sheet.Read(bytes.NewReader(result))
	require.NoError(t, err)
	return table
}

// TestLibreOffice_ReadsExport saves an export again with LibreOffice: it has the same types.
func TestLibreOffice_ReadsExport(t *testing.T) {
	t.Parallel()
	testenv.LibreOffice.Cases(t)
	expires, created := time.Date(2027, 3, 31, 0, 0, 0, 0, time.UTC), time.Date(2026, 11, 20, 14, 5, 0, 0, time.UTC)
	rows := []api.MovementRow{{ProductSKU: "00123", LotCode: "=1+1", Quantity: 1200, ExpiresAt: &expires, CreatedAt: created},
		{ProductSKU: "4006381333931", LotCode: "340123450000000017", Quantity: -200, CreatedAt: created}}
	for _, code := range []string{"en", "de", "es"} {
		var out bytes.Buffer
		_, err := export.WriteSource(context.Background(), tuitest.Language(t, code), &out, export.Excel,
			export.FromRows(export.MovementColumns, rows))
		require.NoError(t, err)
		direct, err := sheet.Read(bytes.NewReader(out.Bytes()))
		require.NoError(t, err)
		saved := convert(t, "export.xlsx", out.Bytes(), "")
		require.Equal(t, direct.Columns, saved.Columns)
		require.Equal(t, 2, saved.Len())
		for i := range direct.Len() {
			require.Equal(t, direct.Row(i), saved.Row(i))
		}
	}
}

// TestLibreOffice_MakesImport opens the text that people of three countries type, and saves it as
// a workbook.
func TestLibreOffice_MakesImport(t *testing.T) {
	t.Parallel()
	testenv.LibreOffice.Cases(t)
	for language, c := range map[string]struct{ text, filter string }{
		"English": {"sku,quantity,expiry,gtin\n00123,\"1,200\",3/31/2027,4006381333931\n", "44,34,76,1,2/1/2,1033"},
		"German":  {"sku;quantity;expiry;gtin\n00123;1.200;31.03.2027;4006381333931\n", "59,34,76,1,,1031"},
		"Spanish": {"sku;quantity;expiry;gtin\n00123;1,200;31/03/2027;4006381333931\n", "59,34,76,1,,2058"},
	} {
		table := convert(t, "typed.csv", []byte(c.text), "Text - txt - csv (StarCalc):"+c.filter+",false,true")
		require.Equal(t, []string{"1200", "2027-03-31", "4006381333931"}, table.Row(0).Cells[1:], language)
	}
}

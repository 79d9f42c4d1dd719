package export_test

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"bincard/server/api"
	"bincard/server/sheet"
	"bincard/tui/i18n"
	"bincard/tui/tuitest"
	"bincard/views/export"
)

// openWorkbook exports movements to Excel and opens the result.
func openWorkbook(t *testing.T, tr *i18n.Translator, rows []api.MovementRow) (book *excelize.File, file []byte) {
	t.Helper()
	var out bytes.Buffer
	_, err := export.WriteSource(context.Background(), tr, &out, export.Excel, export.FromRows(export.MovementColumns, rows))
	require.NoError(t, err)
	file = bytes.Clone(out.Bytes())
	book, err = excelize.OpenReader(&out)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, book.Close()) })
	return book, file
}

func TestWorkbook_TypedCells(t *testing.T) {
	t.Parallel()
	expires := time.Date(2027, 3, 31, 0, 0, 0, 0, time.UTC)
	created := time.Date(2026, 11, 20, 14, 5, 9, 0, time.UTC)
	rows := []api.MovementRow{
		{ProductSKU: "00123", LotCode: "=1+1", Quantity: 1200, ExpiresAt: &expires},
		{ProductSKU: "4006381333931", LotCode: "340123450000000017", Quantity: -200, Reason: "two\nlines"},
	}
	for i := range rows {
		rows[i].CreatedAt, rows[i].Operation = created, api.OpReceive
	}
	for code, titles := range map[string][]string{"en": {"Created", "SKU", "Quantity", "Lot", "Expires"},
		"de": {"Erstellt", "SKU", "Menge", "Charge", "MHD"}, "es": {"Creado", "SKU", "Cantidad", "Lote", "Caduca"}} {
		var tr *i18n.Translator
		if code != "en" {
			tr = tuitest.Language(t, code)
		}
		book, file := openWorkbook(t, tr, rows)
		column := map[string]string{}
		list, err := book.GetRows("Sheet1")
		require.NoError(t, err)
		for i, title := range list[0] {
			name, err := excelize.ColumnNumberToName(i + 1)
			require.NoError(t, err)
			column[title] = name
		}
		value := func(title, row string) string {
			text, err := book.GetCellValue("Sheet1", column[title]+row, excelize.Options{RawCellValue: true})
			require.NoError(t, err)
			require.NotEmpty(t, column[title], title)
			return text
		}
		kind := func(title, row string) excelize.CellType {
			kind, err := book.GetCellType("Sheet1", column[title]+row)
			require.NoError(t, err)
			return kind
		}
		require.Equal(t, []string{"00123", "4006381333931"}, []string{value(titles[1], "2"), value(titles[1], "3")})
		require.Equal(t, []string{"=1+1", "340123450000000017"}, []string{value(titles[3], "2"), value(titles[3], "3")})
		require.Equal(t, excelize.CellTypeInlineString, kind(titles[3], "2"), "a text, not a formula")
		require.Equal(t, excelize.CellTypeUnset, kind(titles[2], "2"), "a number")
		require.Equal(t, []string{"1200", "-200"}, []string{value(titles[2], "2"), value(titles[2], "3")})
		require.Len(t, list, 3, "no total: the movements of several states have none")
		require.Equal(t, "46477", value(titles[4], "2"), "a date")
		require.Empty(t, value(titles[4], "3"))

		panes, err := book.GetPanes("Sheet1")
		require.NoError(t, err)
		require.True(t, panes.Freeze)
		width, err := book.GetColWidth("Sheet1", column[titles[3]])
		require.NoError(t, err)
		require.GreaterOrEqual(t, width, 18.0)

		table, err := sheet.Read(bytes.NewReader(file))
		require.NoError(t, err)
		require.Equal(t, created.Local().Truncate(time.Minute).Format(time.RFC3339), table.Row(0).Cells[0])
		require.Equal(t, "2027-03-31", table.Row(0).Cells[table.Index(titles[4])])
	}
}

func TestWorkbook_Totals(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	_, err := export.WriteSource(context.Background(), tuitest.Language(t, "de"), &out, export.Excel,
		export.FromRows(columns, []line{{"a", 1200}, {"b", -200}}))
	require.NoError(t, err)
	book, err := excelize.OpenReader(&out)
	require.NoError(t, err)
	list, err := book.GetRows("Sheet1")
	require.NoError(t, err)
	require.Equal(t, [][]string{{"Name", "N"}, {"a", "1200"}, {"b", "-200"}, {"Summe", "1000"}}, list)
	formula, err := book.GetCellFormula("Sheet1", "B4")
	require.NoError(t, err)
	require.Equal(t, "SUM(B2:B3)", formula)
	require.NoError(t, book.Close())
}

func TestWorkbook_WithoutRows(t *testing.T) {
	t.Parallel()
	book, _ := openWorkbook(t, nil, nil)
	list, err := book.GetRows("Sheet1")
	require.NoError(t, err)
	require.Len(t, list, 1, "the titles, and no total")
}

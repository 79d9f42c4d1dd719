package sheet_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"
	"golang.org/x/text/encoding/unicode"

	"bincard/server/sheet"
)

// workbook returns a workbook that fill fills.
func workbook(t *testing.T, fill func(f *excelize.File)) *bytes.Buffer {
	t.Helper()
	f := excelize.NewFile()
	fill(f)
	out, err := f.WriteToBuffer()
	require.NoError(t, err)
	require.NoError(t, f.Close())
	return out
}

func TestRead_Workbook(t *testing.T) {
	t.Parallel()
	file := workbook(t, func(f *excelize.File) {
		require.NoError(t, f.SetSheetRow("Sheet1", "A1", &[]any{"hidden"}))
		for _, name := range []string{"Blank", "Orders", "Notes"} {
			_, err := f.NewSheet(name)
			require.NoError(t, err)
		}
		f.SetActiveSheet(2)
		require.NoError(t, f.SetSheetVisible("Sheet1", false))
		require.NoError(t, f.SetSheetRow("Notes", "A1", &[]any{"not read"}))

		require.NoError(t, f.SetSheetRow("Orders", "B2", &[]any{"sku", "qty", "date", "zip", "text"}))
		row := 4
		for _, c := range []struct {
			date   any
			format string
		}{{time.Date(2026, 12, 31, 0, 0, 0, 0, time.UTC), "m/d/yy"}, {46387, "dd.mm.yyyy"}, {46387, `[$-407]d. mmmm yyyy`}, {46387, "mmm d, yyyy"},
			{46387, "yyyy-mm-dd"}, {46387, "mm/yyyy"}, {46387, "mmm yyyy"}, {46387, "yyyymmdd"}, {46387.625, "dd/mm/yyyy hh:mm"}, {"31.12.2026", ""}, {46387, "0"}, {123456789, "000-00-0000"}} {
			require.NoError(t, f.SetSheetRow("Orders", fmt.Sprint("B", row), &[]any{4006381333931, row, c.date, 123, "1E3"}))
			if c.format != "" {
				style, err := f.NewStyle(&excelize.Style{CustomNumFmt: &c.format})
				require.NoError(t, err)
				require.NoError(t, f.SetCellStyle("Orders", fmt.Sprint("D", row), fmt.Sprint("D", row), style))
			}
			row++
		}
		zip, thousands := "00000", "#,##0.00"
		style, err := f.NewStyle(&excelize.Style{CustomNumFmt: &zip})
		require.NoError(t, err)
		require.NoError(t, f.SetCellStyle("Orders", "E4", "E20", style))
		style, err = f.NewStyle(&excelize.Style{CustomNumFmt: &thousands})
		require.NoError(t, err)
		require.NoError(t, f.SetCellValue("Orders", "C4", 1200))
		require.NoError(t, f.SetCellStyle("Orders", "C4", "C4", style))
		require.NoError(t, f.SetCellStr("Orders", "F4", "=1+1; two\nlines"))
		require.NoError(t, f.SetCellStr("Orders", "F5", "'=quoted"))
		require.NoError(t, f.SetCellBool("Orders", "F6", true))
		require.NoError(t, f.SetCellValue("Orders", "H17", "beside the columns"))
	})

	table, err := sheet.Read(file)
	require.NoError(t, err)
	require.Equal(t, "Orders", table.Sheet)
	require.Equal(t, []string{"", "sku", "qty", "date", "zip", "text"}, table.Columns)
	var dates []string
	list := rows(t, table)
	for _, r := range list {
		require.Equal(t, []string{"4006381333931", "00123"}, []string{r.Cells[1], r.Cells[4]}, "row %d", r.Line)
		dates = append(dates, r.Cells[3])
	}
	instant := time.Date(2026, 12, 31, 15, 0, 0, 0, time.Local).Format(time.RFC3339)
	require.Equal(t, []string{"2026-12-31", "2026-12-31", "2026-12-31", "2026-12-31", "2026-12-31", "2026-12-31", "2026-12-31", "2026-12-31", instant, "31.12.2026", "46387", "123456789"}, dates)
	require.Equal(t, []string{"1200", "=1+1; two lines"}, []string{list[0].Cells[2], list[0].Cells[5]})
	require.Equal(t, []string{"'=quoted", "TRUE", "1E3"}, []string{list[1].Cells[5], list[2].Cells[5], list[3].Cells[5]})
	require.Equal(t, []int{4, 15}, []int{list[0].Line, list[11].Line})
	require.Equal(t, []string{"Notes"}, table.OtherSheets)
	require.Len(t, table.Problems, 1)
	require.Contains(t, table.Problems[0].String(), "sheet Orders, row 17: it has 8 cells")
}

func TestRead_WorkbookThatCannotBeRead(t *testing.T) {
	t.Parallel()
	full := workbook(t, func(f *excelize.File) { require.NoError(t, f.SetCellValue("Sheet1", "A1", "sku")) }).String()
	for text, message := range map[string]string{
		"PK\x03\x04rest":   "the workbook cannot be read",
		full[:len(full)/2]: "the workbook cannot be read",
		full + full[:100]:  "",
		workbook(t, func(*excelize.File) {}).String():                                                           "the workbook is empty",
		workbook(t, func(f *excelize.File) { require.NoError(t, f.SetCellValue("Sheet1", "A1", "")) }).String(): "the workbook is empty",
	} {
		_, err := sheet.Read(strings.NewReader(text))
		if message != "" {
			require.ErrorContains(t, err, message)
		}
	}
}

func TestRead_WorkbookWithBadCells(t *testing.T) {
	t.Parallel()
	table, err := sheet.Read(workbook(t, func(f *excelize.File) {
		for i, row := range [][]any{{"sku", "", "lot"}, {"A", "", "L1"}, {"#REF!"}, {"B", "aside"}, {340123450000000017}} {
			require.NoError(t, f.SetSheetRow("Sheet1", fmt.Sprint("A", i+1), &row))
		}
	}))
	require.NoError(t, err)
	require.Equal(t, 1, table.Len())
	require.Empty(t, table.CheckColumns([]string{"sku"}, []string{"lot"}))
	var texts []string
	for _, p := range table.Problems {
		texts = append(texts, p.String())
	}
	require.Equal(t, []string{
		"sheet Sheet1, row 3: sku: it is an error of a formula; correct it, or type the value",
		"sheet Sheet1, row 4: aside is below a cell without the name of a column",
		"sheet Sheet1, row 5: sku: it is a number of more than 15 digits, of which Excel has lost the last; give the cell the format Text, and type it again",
	}, texts)
	_, err = sheet.Read(strings.NewReader("\xD0\xCF\x11\xE0 old"))
	require.ErrorContains(t, err, "save it as .xlsx")
}

func TestRead_UTF16(t *testing.T) {
	t.Parallel()
	for _, order := range []unicode.Endianness{unicode.LittleEndian, unicode.BigEndian} {
		text, err := unicode.UTF16(order, unicode.UseBOM).NewEncoder().String("sku\tname\r\nA-1\tKäse 3 €\r\n")
		require.NoError(t, err)
		table, err := sheet.Read(strings.NewReader(text))
		require.NoError(t, err)
		require.Equal(t, []string{"A-1", "Käse 3 €"}, table.Row(0).Cells)
	}
}

// A large workbook is read in parts: its sheet and texts are in temporary files.
func TestRead_LargeWorkbook(t *testing.T) {
	t.Parallel()
	const n = 30_000
	file := workbook(t, func(f *excelize.File) {
		w, err := f.NewStreamWriter("Sheet1")
		require.NoError(t, err)
		require.NoError(t, w.SetRow("A1", []any{"sku", "name"}))
		for i := 2; i <= n+1; i++ {
			require.NoError(t, w.SetRow(fmt.Sprint("A", i), []any{fmt.Sprint("SKU-", i), "a name that is long enough"}))
		}
		require.NoError(t, w.Flush())
	})
	table, err := sheet.Read(file)
	require.NoError(t, err)
	require.Equal(t, n, table.Len())
	require.Equal(t, sheet.Row{Line: n + 1, Cells: []string{fmt.Sprint("SKU-", n+1), "a name that is long enough"}}, table.Row(n-1))
}

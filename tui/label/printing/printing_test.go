package printing_test

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/tui/label"
	"bincard/tui/label/labeltest"
	"bincard/tui/label/printing"
)

// service returns a service with two printers. They note what they get.
func service(t *testing.T, got *[]string) *printing.Service {
	t.Helper()
	dir := t.TempDir()
	return &printing.Service{Queue: printing.NewQueue(dir, nil), Dir: dir, Now: func() time.Time { return labeltest.Now },
		Settings: printing.Settings{CompanyPrefix: "0952100", Printers: printing.Printers{{Name: "dock", Address: "cups:d", Location: "WH-1", DPI: 300}, {Name: "office", Address: "cups:o", Location: "ST-1", Template: "50x25"}}},
		Send: func(_ context.Context, p printing.Printer, data []byte) (string, error) {
			if p.Name == "office" {
				return "", &printing.PrinterError{Reason: "out of labels"}
			}
			*got = append(*got, string(data))
			return "", nil
		}}
}

func TestPrint_OnThePrinterOfTheLocation(t *testing.T) {
	t.Parallel()
	var got []string
	s := service(t, &got)
	l := labeltest.Samples()["lot"]
	draft, err := s.Draw(l, printing.Options{Location: "WH-1"})
	require.NoError(t, err)
	require.Equal(t, []string{"Lot label: OAT-1L  Oat milk 1 l", "Lot L42-A", "Expires 2027-03-31", "Quantity 24", "Barcode (01)09521000000018(17)270331(30)24(10)L42-A"}, draft.Words(nil))
	require.Equal(t, 840, draft.Page.Width)
	job, err := s.Print(draft, 3, "Ada")
	require.NoError(t, err)
	require.Empty(t, got, "Print does not send")
	job, err = s.Await(t.Context(), job.ID)
	require.NoError(t, err)
	require.Equal(t, printing.Printed, job.State)
	require.Equal(t, "Lot label OAT-1L L42-A", job.Title)
	want, err := draft.ZPL(3)
	require.NoError(t, err)
	require.Equal(t, []string{string(want)}, got)
}

func TestPrint_StaysQueuedWithTheReason(t *testing.T) {
	t.Parallel()
	s := service(t, nil)
	draft, err := s.Draw(labeltest.Samples()["product"], printing.Options{Location: "ST-1"})
	require.NoError(t, err)
	require.Equal(t, "50x25", draft.Template)
	job, err := s.Print(draft, 1, "")
	require.NoError(t, err)
	job, err = s.Await(t.Context(), job.ID)
	require.NoError(t, err)
	require.Equal(t, printing.Queued, job.State)
	require.Equal(t, "out of labels", job.Reason)
}

func TestDraw_WithoutPrinterShowsTheLabel(t *testing.T) {
	t.Parallel()
	s := service(t, nil)
	draft, err := s.Draw(labeltest.Samples()["location"], printing.Options{Location: "WH-9"})
	require.NoError(t, err)
	var picture bytes.Buffer
	missing, err := draft.PNG(&picture)
	require.NoError(t, err)
	require.Empty(t, missing)
	_, err = s.Print(draft, 1, "")
	require.ErrorContains(t, err, "no label printer is set up for this location")
	_, err = s.Draw(labeltest.Samples()["location"], printing.Options{Printer: "none"})
	require.ErrorContains(t, err, `there is no printer "none"`)
	_, err = s.Draw(label.Label{Kind: label.KindLot}, printing.Options{})
	require.ErrorContains(t, err, "needs the field sku")
}

func TestPrint_LimitsCopies(t *testing.T) {
	t.Parallel()
	s := service(t, nil)
	draft, err := s.Draw(labeltest.Samples()["location"], printing.Options{Location: "WH-1"})
	require.NoError(t, err)
	for _, copies := range []int{0, -1, 1000} {
		_, err = s.Print(draft, copies, "")
		require.ErrorContains(t, err, "is not a number of copies from 1 to 999")
	}
}

func TestNextSSCC_NeedsThePrefix(t *testing.T) {
	t.Parallel()
	s := service(t, nil)
	got, err := s.NextSSCC(t.Context())
	require.NoError(t, err)
	require.Len(t, got, 18)
	s.Settings.CompanyPrefix = ""
	_, err = s.NextSSCC(t.Context())
	require.ErrorContains(t, err, "set company_prefix in labels.toml")
}

func TestPrintAll_QueuesAllOrNone(t *testing.T) {
	t.Parallel()
	var got []string
	s := service(t, &got)
	samples := labeltest.Samples()
	batch := []printing.Copies{{Label: samples["lot"], Count: 4}, {Label: samples["serial"], Count: 1}, {Label: samples["product"], Count: 1500}}
	require.Equal(t, 1505, printing.Total(batch))
	jobs, err := s.PrintAll(batch, printing.Options{Location: "WH-1"}, "Ada")
	require.NoError(t, err)
	var titles []string
	var copies []int
	for _, job := range jobs {
		titles, copies = append(titles, job.Title), append(copies, job.Copies)
		require.Equal(t, []any{"dock", "Ada", printing.Queued}, []any{job.Printer, job.Operator, job.State})
	}
	require.Equal(t, []string{"OAT-1L L42-A", "SCA-5 SCA000123", "OAT-1L", "OAT-1L"}, titles)
	require.Equal(t, []int{4, 1, 999, 501}, copies)

	batch[1].Label.SKU = ""
	_, err = s.PrintAll(batch, printing.Options{Location: "WH-1"}, "Ada")
	require.Error(t, err)
	_, err = s.PrintAll(batch[:1], printing.Options{Location: "NONE"}, "Ada")
	require.Error(t, err)
	all, err := s.Queue.Jobs()
	require.NoError(t, err)
	require.Len(t, all, 4)
}

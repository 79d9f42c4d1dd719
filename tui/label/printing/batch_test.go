package printing_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/tui/label/labeltest"
	"bincard/tui/label/printing"
	"bincard/tui/label/queue"
)

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
		require.Equal(t, []any{"dock", "Ada", queue.Queued}, []any{job.Printer, job.Operator, job.State})
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

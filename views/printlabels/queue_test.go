package printlabels_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/tui/label"
	"bincard/tui/label/printer"
	"bincard/tui/label/printing"
	"bincard/tui/label/queue"
	"bincard/tui/tuitest"
	"bincard/views/printlabels"
)

// batch returns labels of serial numbers.
func batch(n int) (out []printing.Copies) {
	for i := range n {
		out = append(out, printing.Copies{Label: label.Label{Kind: label.KindSerial, SKU: "CAM-1", Name: "Camera", Serial: fmt.Sprintf("SN-%03d", i+1)}, Count: 1})
	}
	return out
}

// Errors of a printer that is certain not to have printed, and of one that is not.
var (
	mediaOut = &printer.Error{Reason: "out of labels"}
	lost     = &printer.Error{Reason: "the connection ended", MayBePrinted: true}
)

func TestQueue_InAllSizes(t *testing.T) {
	t.Parallel()
	w := stocked(t)
	s := w.SetUpLabels(t, printers)
	openAt(t, w, "labels").Goldens("empty")
	_, err := s.PrintAll(batch(4), printing.Options{Location: "WH-1"}, "Ada")
	require.NoError(t, err)
	answers := []error{nil, lost, mediaOut}
	for range answers {
		sends(t, s, func(string) error { next := answers[0]; answers = answers[1:]; return next })
		if len(answers) == 0 {
			break
		}
	}
	d := openAt(t, w, "labels")
	d.Goldens("list")
	tuitest.Golden(t, "list-40x8", d.Size(40, 8).Painted())
}

func TestQueue_ResolvesLabels(t *testing.T) {
	t.Parallel()
	w := stocked(t)
	s := w.SetUpLabels(t, printers)
	_, err := s.PrintAll(batch(3), printing.Options{Location: "WH-1"}, "Ada")
	require.NoError(t, err)
	var printed []string
	answers := []error{nil, lost}
	sends(t, s, func(data string) error {
		printed = append(printed, data)
		next := answers[0]
		answers = answers[1:]
		return next
	})
	sends(t, s, func(string) error { return mediaOut })
	d := openAt(t, w, "labels").Sees("~ maybe printed", "SN-002", "1 label not printed")
	d.Key("enter").Sees("The label of CAM-1 SN-002 may be printed already. Print it again?").Key("esc").Sees("~ maybe printed")
	d.Key("enter", "enter").Sees("CAM-1 SN-002 again on ZEBRA-1").Lacks("maybe printed").Sees("2 labels not printed")
	d.Key("enter").Sees("It is printed when ZEBRA-1 is ready")
	d.Key("f8").Sees("Discard the label of CAM-1 SN-002?").Key("enter").Sees("Discarded CAM-1 SN-002")
	sends(t, s, func(data string) error { printed = append(printed, data); return nil })
	d.Advance(2 * time.Second).Lacks("not printed. Print")
	require.Len(t, printed, 3, "the second was sent once, and lost")
	d.Key("home").Key("f8").Sees("It is")
	// The last label is printed again.
	openAt(t, w, "labels").Key("home", "enter").Sees("again on ZEBRA-1", "1 label not printed")
	sends(t, s, func(data string) error { printed = append(printed, data); return nil })
	require.Len(t, printed, 4)
	require.Equal(t, printed[2], printed[3])
}

func TestNotices_EachOnce(t *testing.T) {
	t.Parallel()
	now := tuitest.Noon
	at := func(d time.Duration) time.Time { return now.Add(d) }
	job := func(id int64, state queue.State, reason string) queue.Job {
		return queue.Job{ID: id, Printer: "dock", Title: "OAT-1L", Copies: 2, Operator: "Ada", Created: now, Changed: now, State: state, Reason: reason}
	}
	n := printlabels.NewNotices(now)
	waits := []queue.Job{job(1, queue.Queued, "out of labels"), job(2, queue.Queued, "")}
	require.Empty(t, n.Next(nil, "Ada", waits, at(time.Second)))
	require.Equal(t, []string{"4 labels not printed on dock: out of labels"}, n.Next(nil, "Ada", waits, at(time.Minute)))
	require.Empty(t, n.Next(nil, "Ada", waits, at(2*time.Minute)))
	require.Empty(t, n.Next(nil, "Ada", nil, at(2*time.Minute)))
	require.Len(t, n.Next(nil, "Ada", waits, at(3*time.Minute)), 1, "it waits again")
	require.Empty(t, n.Next(nil, "Ben", []queue.Job{job(3, queue.MaybePrinted, "")}, at(time.Minute)))

	lost := []queue.Job{job(4, queue.MaybePrinted, "the connection ended"), job(5, queue.Printed, "the printer prints it later: paused"), job(6, queue.Printed, "")}
	require.Equal(t, []string{"dock: the label of OAT-1L may be printed. Check, then decide on Labels.", "dock: the printer prints it later: paused"}, n.Next(nil, "Ada", lost, at(time.Second)))
	require.Empty(t, n.Next(nil, "Ada", lost, at(time.Second)))
	lost[0].Changed = at(time.Minute) // it was sent again, and lost again
	require.Len(t, n.Next(nil, "Ada", lost, at(time.Minute)), 1)
	require.Empty(t, printlabels.NewNotices(at(time.Hour)).Next(nil, "Ada", lost, at(time.Hour)), "before this session")
}

package panel_test

import (
	"context"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bincard/server/api"
	"bincard/views/count"
	"bincard/views/panel"
	"bincard/views/submit"
)

// answers are how a step may end: recorded, saved at risk, refused, without an answer, and
// never sent.
var answers = []error{
	nil,
	&api.Error{Code: api.AtRisk},
	&api.Error{Code: api.InsufficientStock},
	context.DeadlineExceeded,
	&api.Error{Code: api.Unavailable, Details: map[string]any{"outcome": "not_sent"}},
}

// Whatever the answers are, and whenever the program is killed, a line is recorded once and
// leaves the count, or is not recorded and keeps its count.
func TestSender_RecordsOrKeepsEachLine(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var lines []*count.Line
		var steps []submit.Step
		n := rapid.IntRange(1, 5).Draw(t, "lines")
		for i := range n {
			key := "line-" + strconv.Itoa(i)
			lines = append(lines, &count.Line{Key: key, Count: count.Count{Quantity: int64(i + 1)}})
			steps = append(steps, submit.Step{Key: key, Line: key})
			if rapid.Bool().Draw(t, "damaged") {
				steps = append(steps, submit.Step{Key: key + ".2", Line: key, DependsOnPrevious: true})
			}
		}
		sender := panel.NewSender(lines, steps...)
		done, ended := map[string]int{}, map[string]int64{}
		end := func(recorded []count.Line) {
			for _, l := range recorded {
				ended[l.Key] += l.Count.Quantity
			}
		}

		for events := 0; sender.Step() != nil; events++ {
			a := submit.Answer{Step: *sender.Step()}
			if events < 30 {
				a.Err = rapid.SampledFrom(answers).Draw(t, "answer")
			}
			if a.Err == nil {
				a.Response = &api.Response{}
			}
			if a.Err == nil || a.AtRisk() {
				done[a.Step.Key]++
			}
			end(sender.Answered(a))
			if step := sender.Step(); step != nil && step.DependsOnPrevious && rapid.Bool().Draw(t, "skip") {
				sender.Skip()
			}
			if sender.Step() != nil && rapid.Bool().Draw(t, "kill") {
				require.NoError(t, sender.Reopen())
			}
			for i, l := range lines {
				require.Equal(t, int64(i+1), l.Count.Quantity+sender.Recorded(l.Key)+ended[l.Key], l.Key)
			}
		}

		end(sender.End())
		for i, l := range lines {
			require.LessOrEqual(t, done[l.Key], 1, l.Key)
			require.Equal(t, int64(i+1)*int64(done[l.Key]), ended[l.Key], l.Key)
			require.Equal(t, ended[l.Key] == 0, l.Count.Quantity > 0, l.Key)
			require.Equal(t, ended[l.Key] == 0, sender.Refused(l.Key) != "", l.Key)
		}
	})
}

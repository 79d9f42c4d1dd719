package balances

import (
	"fmt"
	"strings"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/theme"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// mismatches lists the states in which the movements do not add up to the balance,
// each with both numbers.
func mismatches(head *api.Explanation) []string {
	var out []string
	for _, s := range api.States {
		if sum, is := head.Totals.Of(s), head.Balance.Of(s); sum != is {
			out = append(out, fmt.Sprintf(saidSumDiffers, s.Title(), widget.Count(sum), widget.Count(is)))
		}
	}
	return out
}

// addedSum sums the movements that were read themselves, where all were read and
// the balance did not move meanwhile.
func (x *explain) addedSum() (sum api.Quantities, whole bool) {
	if !x.pages.Complete() || x.balanceMoved {
		return sum, false
	}
	for i := range x.entries {
		sum.Add(x.entries[i].movement.InventoryState, x.entries[i].movement.Quantity)
	}
	return sum, true
}

// proofLine is the line that says whether the ledger adds up: never a mere tick,
// but what was compared with what.
func (x *explain) proofLine(t theme.Theme, width int) string {
	wrong := mismatches(x.explanation)
	sum, whole := x.addedSum()
	for _, s := range api.States {
		if whole && len(wrong) == 0 && sum.Of(s) != x.explanation.Totals.Of(s) {
			wrong = append(wrong, fmt.Sprintf(saidTheMovementsHereAdd,
				s.Title(), widget.Count(int64(len(x.entries))), widget.Count(sum.Of(s)), widget.Count(x.explanation.Totals.Of(s))))
		}
	}
	if len(wrong) > 0 && width < 40 {
		return t.Refused(widget.Clip(firstMismatch(x.explanation), width-2))
	}
	if len(wrong) > 0 {
		return t.Refused(widget.Clip(fmt.Sprintf(saidF8Verify, strings.Join(wrong, "; ")), width-2))
	}
	count := "all"
	if whole {
		count = widget.Count(int64(len(x.entries)))
	}
	for _, text := range []string{saidOfMovementsBalanceIn, saidOfMovementsBalance, saidBalance} {
		if text = fmt.Sprintf(text, count); widget.Width(text) <= width {
			return text
		}
	}
	return widget.Clip(proofBrief, width)
}

// firstMismatch names the first wrong state with both numbers where there is little room.
func firstMismatch(head *api.Explanation) string {
	for _, s := range api.States {
		if sum, is := head.Totals.Of(s), head.Balance.Of(s); sum != is {
			return fmt.Sprintf("%s Σ%s≠%s", s.Title(), widget.Count(sum), widget.Count(is))
		}
	}
	return proofBroken
}

// verify reads every movement and adds them up here, so that nobody needs to
// believe the service's own sum.
func (x *explain) verify() tea.Cmd {
	if x.pages.Complete() {
		return x.showProof()
	}
	x.verifying = true
	return x.pages.More()
}

// showProof says what adding up all movements gave.
func (x *explain) showProof() tea.Cmd {
	sum, whole := x.addedSum()
	if !whole {
		return tui.Warn(saidTheBalanceMovedMeanwhile)
	}
	var wrong []string
	for _, s := range api.States {
		if sum.Of(s) != x.explanation.Balance.Of(s) {
			wrong = append(wrong, fmt.Sprintf(saidIsAndShouldBe, s.Title(), widget.Count(x.explanation.Balance.Of(s)), widget.Count(sum.Of(s))))
		}
	}
	if len(wrong) > 0 {
		return tui.Fail(fmt.Errorf(saidByAllMovementsTell,
			strings.Join(wrong, "; "), widget.Count(int64(len(x.entries)))))
	}
	return tui.Toast(fmt.Sprintf(saidAddedUpHereMovements, widget.Count(int64(len(x.entries)))))
}

// Package stock holds the screens that correct stock: adjusting a balance,
// moving stock between states, counting a location, and assembling or
// disassembling kits.
//
// The screens for one balance share a balanceScreen. The screen of a count has parts: its
// lines (count_lines.go), the comparison with recorded stock (count_comparison.go), the plan
// of the writes that post the differences (count_plan.go), the queue that sends them
// (count_queue.go), and the view that shows it all (count_view.go).
package stock

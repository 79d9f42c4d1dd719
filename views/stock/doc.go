// Package stock is the work that puts the books right: adjusting a balance,
// moving stock between states, counting a place, and taking kits apart or
// putting them together.
package stock

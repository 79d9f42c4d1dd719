// Package stock holds the screens that correct stock: adjusting a balance,
// moving stock between states, counting a location, and assembling or
// disassembling kits.
package stock

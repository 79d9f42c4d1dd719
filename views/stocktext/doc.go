// Package stocktext formats balances and movements for screens: the equation and the bar
// of a balance, and the reason, person and document of a movement.
package stocktext

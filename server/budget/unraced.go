//go:build !race

package budget

const raced = false

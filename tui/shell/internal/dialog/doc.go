// Package dialog has what the shell shows above a screen: questions, prompts, lists, the help,
// errors, messages that disappear, and the sign-in of operators.
//
// A Stack (stack.go) has the open ones. keys.go handles their keys and says with a Result
// what to run, view.go paints the one on top, and state.go describes and answers it where
// nothing is painted.
package dialog

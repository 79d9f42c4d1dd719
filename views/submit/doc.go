// Package submit sends writes exactly once.
//
// A Step is one write with its idempotency key. A Submission sends steps in order and
// decides what each answer means: done, refused, not sent, or unknown because no answer
// came. It is saved in the draft of a screen and then continues after a crash. UserMessage
// is the text of an error for the operator.
//
// A Job books a count without a screen, by the same rules.
package submit

// Package places holds the screens of the locations: all of them, where one
// also says where one works, and the form that makes one.
package places

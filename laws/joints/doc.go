// Package joints holds the tests of joints through the public API, against closed forms and by law.
package joints

// Command e2e measures what happens to worlds on NATS when hosts and servers die, stop and drain; see main.go.
package main

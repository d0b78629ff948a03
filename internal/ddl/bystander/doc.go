// Package bystander finds what of the server's own reads or writes a table by its name: views, triggers, events and routines.
// Under a protected table none of them may stand. It would read stored forms, and write values as they are.
package bystander

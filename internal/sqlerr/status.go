package sqlerr

import "strconv"

// StatusUnreachable is an address at which no tunic tells its status.
func StatusUnreachable(address string, err error) *StartError {
	return &StartError{Code: statusUnreachable, Setting: "--admin " + address, Problem: "does not answer with a status", Err: rootCause(err)}
}

// StatusToken is a tunic that tells its status only to who has its token.
func StatusToken(address string) *StartError {
	return &StartError{Code: statusToken, Setting: "--admin " + address, Problem: "shows its status only with the token"}
}

// StatusBad is a tunic that is not well: its health, and how many alarms it has.
func StatusBad(health string, alarms int) *StartError {
	problem := "tunic is " + health
	switch {
	case alarms == 1:
		problem += ", and has an alarm"
	case alarms > 1:
		problem += ", and has " + strconv.Itoa(alarms) + " alarms"
	}
	return &StartError{Code: statusBad, Problem: problem}
}

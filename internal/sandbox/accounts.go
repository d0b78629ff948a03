package sandbox

import "strings"

// The accounts of every sandbox; doc.go lists them.
const (
	rootPassword    = "root"
	ServiceUser     = "tunic_service"
	ServicePassword = "service"
	AppUser         = "app"
	AppPassword     = "app"
)

// appPrivileges is what an application is usually given: its data and its
// schema, nothing of the server's administration.
var appPrivileges = []string{
	"SELECT", "INSERT", "UPDATE", "DELETE", "CREATE", "DROP", "REFERENCES", "INDEX", "ALTER",
	"CREATE TEMPORARY TABLES", "LOCK TABLES", "EXECUTE", "CREATE VIEW", "SHOW VIEW",
	"CREATE ROUTINE", "ALTER ROUTINE", "EVENT", "TRIGGER", "SHOW DATABASES",
}

// accounts are the statements that make the accounts of a fresh server on which
// root has no password. They run as root, whose own password comes last.
func accounts() []string {
	return []string{
		"CREATE DATABASE IF NOT EXISTS test",
		"CREATE USER '" + ServiceUser + "'@'%' IDENTIFIED BY '" + ServicePassword + "'",
		"GRANT ALL PRIVILEGES ON *.* TO '" + ServiceUser + "'@'%' WITH GRANT OPTION",
		"CREATE USER '" + AppUser + "'@'%' IDENTIFIED BY '" + AppPassword + "'",
		"GRANT " + strings.Join(appPrivileges, ", ") + " ON *.* TO '" + AppUser + "'@'%'",
		"CREATE USER IF NOT EXISTS 'root'@'127.0.0.1', 'root'@'%'",
		"GRANT ALL PRIVILEGES ON *.* TO 'root'@'127.0.0.1' WITH GRANT OPTION",
		"GRANT ALL PRIVILEGES ON *.* TO 'root'@'%' WITH GRANT OPTION",
		"ALTER USER 'root'@'127.0.0.1' IDENTIFIED BY '" + rootPassword + "'",
		"ALTER USER 'root'@'%' IDENTIFIED BY '" + rootPassword + "'",
		"ALTER USER 'root'@'localhost' IDENTIFIED BY '" + rootPassword + "'",
	}
}

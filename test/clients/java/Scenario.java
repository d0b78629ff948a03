/**
 * The scenario of the two Java drivers, MariaDB Connector/J and MySQL Connector/J: every check of
 * ../checks.txt, as a program written against JDBC would do it. CLIENT_DRIVER says which.
 */
public final class Scenario {
    private Scenario() {}

    public static void main(String[] args) {
        Checks checks = new Checks();
        Connecting.add(checks);
        Values.add(checks);
        Transactions.add(checks);
        Results.add(checks);
        Prepared.add(checks);
        Sizes.add(checks);
        Commands.add(checks);
        checks.skip("the driver compresses with zlib only", "connect.zstd");
        checks.skip("the driver always opens with the server's own plugin", "login.switch");
        checks.skip("the driver has no such command", "command.statistics", "command.field_list");
        checks.skip("no command-line client", "kill.interrupt");
        System.exit(checks.run() ? 0 : 1);
    }
}

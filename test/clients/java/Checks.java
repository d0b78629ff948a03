import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** The checks in order, and what reports them. */
final class Checks {
    /** A check fails by throwing. */
    interface Body {
        void run() throws Exception;
    }

    /** Why this client cannot do a check. */
    static final class Skip extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Skip(String reason) {
            super(reason);
        }
    }

    private record Check(String name, Body body) {}

    private final List<Check> all = new ArrayList<>();

    void add(String name, Body body) {
        all.add(new Check(name, body));
    }

    void skip(String reason, String... names) {
        for (String name : names) {
            add(name, () -> { throw new Skip(reason); });
        }
    }

    /** Reports whether no check failed. */
    boolean run() {
        boolean good = true;
        String only = Objects.requireNonNullElse(System.getenv("CLIENT_ONLY"), "");
        all.removeIf(check -> !check.name.startsWith(only));
        for (Check check : all) {
            try {
                check.body.run();
                System.out.println("ok " + check.name);
            } catch (Skip skip) {
                System.out.println("skip " + check.name + ": " + skip.getMessage());
            } catch (Exception | AssertionError error) {
                good = false;
                System.out.println("not ok " + check.name + ": " + describe(error));
            }
        }
        return good;
    }

    private static String describe(Throwable error) {
        String where = Arrays.stream(error.getStackTrace())
                .filter(f -> f.getModuleName() == null && !f.getClassName().contains(".") && !f.getClassName().equals("Checks"))
                .findFirst().map(f -> f.getFileName() + ":" + f.getLineNumber()).orElse("?");
        String text = String.valueOf(error).replaceAll("\\s+", " ");
        return text.substring(0, Math.min(text.length(), 300)) + " at " + where;
    }

    static void equal(Object got, Object want) {
        if (!Objects.equals(got, want)) {
            throw new AssertionError("got " + got + ", want " + want);
        }
    }

    /** Checks that the body fails with this error of the server. */
    static void wants(int code, String state, Body body) throws Exception {
        try {
            body.run();
        } catch (SQLException error) {
            equal(error.getErrorCode() + " " + error.getSQLState(), code + " " + state);
            return;
        }
        throw new AssertionError("no error, want " + code);
    }
}

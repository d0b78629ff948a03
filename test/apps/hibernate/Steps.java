import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/** Runs the steps of the scenario and reports each in one line: NAME = RESULT, or NAME ! ERROR. */
final class Steps {
    /** What a step does; its result is what it returns. */
    interface Step {
        Object run() throws Exception;
    }

    /** 1 if a step has failed. */
    private int status;

    int status() {
        return status;
    }

    void step(String name, Step step) {
        try {
            System.out.println(name + " = " + plain(step.run()));
        } catch (Exception | Error e) {
            status = 1;
            System.out.println(name + " ! " + e.getClass().getSimpleName() + ": " + String.valueOf(e.getMessage()).replaceAll("\\s+", " "));
            e.printStackTrace();
        }
    }

    /** A value as text that does not depend on the order of a map. */
    static String plain(Object value) {
        if (value instanceof Object[] array) {
            return Arrays.stream(array).map(Steps::plain).toList().toString();
        }
        if (value instanceof byte[] bytes) {
            return "bytes " + Arrays.toString(bytes);
        }
        if (value instanceof Collection<?> all) {
            return all.stream().map(Steps::plain).toList().toString();
        }
        if (value instanceof Map<?, ?> map) {
            var sorted = new TreeMap<String, String>();
            map.forEach((k, v) -> sorted.put(String.valueOf(k), plain(v)));
            return sorted.toString();
        }
        return String.valueOf(value).replace("\n", "\\n");
    }

    /** The kind of the error that a step ends with, and the server's number. */
    static String errorOf(Step step) throws Exception {
        try {
            step.run();
        } catch (Exception e) {
            for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                if (cause instanceof java.sql.SQLException sql) {
                    return e.getClass().getSimpleName() + " " + sql.getErrorCode() + " " + sql.getSQLState();
                }
            }
            return e.getClass().getSimpleName();
        }
        return "no error";
    }
}

package dev.outcrop.cli.common;

import java.time.Duration;
import java.util.Locale;
import me.tongfei.progressbar.ProgressBarRenderer;
import me.tongfei.progressbar.ProgressState;

/** The text of a progress line. It is short, so that a terminal of 80 columns cuts nothing off. */
record ProgressText(String title, String unit) implements ProgressBarRenderer {
    private static final String BYTES = "bytes";
    private static final long MANY_BYTES = 10_000_000;

    @Override
    public String render(ProgressState state, int width) {
        boolean isTotalKnown = !state.isIndefinite() && state.getMax() > 0;
        long done = state.getCurrent();
        long total = isTotalKnown ? state.getMax() : done;
        Duration elapsed = state.getElapsedAfterStart();
        StringBuilder text = new StringBuilder(title).append("  ");
        if (isTotalKnown) {
            text.append(done * 100 / total).append(" %  ").append(amount(done, total)).append(" of ");
        }
        if (total > 0) {
            text.append(amount(total, total)).append(' ').append(unit(total));
        }
        String note = state.getExtraMessage();
        double perSecond = done / Math.max(0.001, elapsed.toMillis() / 1000.0);
        if (!note.isEmpty()) {
            text.append(", ").append(note);
        } else if (perSecond >= 1) {
            text.append(", ").append(amount((long) perSecond, total)).append(' ').append(unit(total)).append("/s");
        }
        if (!isTotalKnown) {
            text.append(total > 0 ? ", " : "").append(time(elapsed));
        } else if (done > 0) {
            text.append(", ")
                    .append(time(Duration.ofMillis((long) (elapsed.toMillis() * (double) (total - done) / done))))
                    .append(" left");
        }
        return text.substring(0, Math.min(width, text.length()));
    }

    /** Returns the divisor of the numbers: large totals of bytes are shown in megabytes. */
    private long divisor(long total) {
        return !unit.equals(BYTES) ? 1 : total < MANY_BYTES ? 1_000 : 1_000_000;
    }

    private String amount(long number, long total) {
        return String.format(Locale.ROOT, "%,d", number / divisor(total));
    }

    private String unit(long total) {
        return !unit.equals(BYTES) ? unit : total < MANY_BYTES ? "kB" : "MB";
    }

    private static String time(Duration duration) {
        return duration.toHours() == 0
                ? String.format(Locale.ROOT, "%d:%02d", duration.toMinutes(), duration.toSecondsPart())
                : String.format(Locale.ROOT, "%d:%02d:%02d", duration.toHours(), duration.toMinutesPart(),
                        duration.toSecondsPart());
    }
}

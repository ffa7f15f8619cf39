package dev.outcrop.benchmarks.report;

import dev.outcrop.benchmarks.harness.Suite;
import java.util.Locale;

/** A side, as all plots show it. It always has the same colour, and its own pattern for print and for people who cannot see colours. */
enum PlotSide {
    OUTCROP("Outcrop", "#1f6feb", "#58a6ff", ""),
    ROCKSDBJNI("rocksdbjni", "#c2410c", "#fb923c", "M-2,10L10,-2M6,10L10,6M-2,2L2,-2"),
    CHRONICLE("Chronicle", "#a16207", "#facc15", "M-2,-2L10,10M6,-2L10,2M-2,6L2,10"),
    LMDB("LMDB", "#0f766e", "#2dd4bf", "M0,8L4,0L8,8"),
    JDK("the JDK's own way", "#be185d", "#f472b6", "M2,0V8M6,0V8"),
    RUBY("Ruby", "#b91c1c", "#f87171", "M0,4H8M4,0V8"),
    C("C", "#15803d", "#4ade80", "M0,2H8M0,6H8"),
    PUBLISHED("published", "#7e22ce", "#c084fc", "M4,0L8,4L4,8L0,4Z"),
    OTHER("other", "#57606a", "#8b949e", "M0,4H8");

    private final String label;
    private final String light;
    private final String dark;
    private final String hatching;

    PlotSide(String label, String light, String dark, String hatching) {
        this.label = label;
        this.light = light;
        this.dark = dark;
        this.hatching = hatching;
    }

    /** Returns the side of a peer, by its name in a row. */
    static PlotSide ofPeer(String name) {
        // The pipeline's peer is both Chronicle Queue and rocksdbjni. It is drawn as the queue that it reads.
        return name.startsWith("Chronicle")
                ? CHRONICLE
                : name.startsWith(Suite.ROCKSDBJNI)
                        ? ROCKSDBJNI
                        : name.startsWith("JDK")
                                ? JDK
                                : name.startsWith("LMDB")
                                        ? LMDB
                                        : name.startsWith("Ruby") ? RUBY : name.matches("C([ ,].*)?") ? C : OTHER;
    }

    String label() {
        return label;
    }

    /** Returns the class of the style sheet. */
    String css() {
        return "p-" + name().toLowerCase(Locale.ROOT);
    }

    /** Returns the colours of all sides as declarations of a style sheet. The page's colour scheme chooses between them. */
    static String styles(boolean isDark) {
        StringBuilder css = new StringBuilder();
        for (PlotSide side : values()) {
            css.append('.').append(side.css()).append("{--side:").append(isDark ? side.dark : side.light).append('}');
        }
        return css.toString();
    }

    /** Returns the patterns of all sides. The plots of a page share them. */
    static String patterns() {
        StringBuilder svg = new StringBuilder("<svg class=\"patterns\" aria-hidden=\"true\"><defs>");
        for (PlotSide side : values()) {
            svg.append("<pattern id=\"").append(side.css()).append("\" class=\"").append(side.css())
                    .append("\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\"><rect class=\"")
                    .append(side.hatching.isEmpty() ? "full" : "pale").append("\" width=\"8\" height=\"8\"/>");
            if (!side.hatching.isEmpty()) {
                svg.append("<path class=\"hatching\" d=\"").append(side.hatching).append("\"/>");
            }
            svg.append("</pattern>");
        }
        return svg.append("</defs></svg>\n").toString();
    }
}

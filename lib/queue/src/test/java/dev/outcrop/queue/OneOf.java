package dev.outcrop.queue;

import dev.outcrop.testsupport.TestSize;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Has {@code mvn verify} run one in so many of the cases of a parameterized test or class, and the nightly run all of them. Chance says
 * with which case it begins, so that many runs have them all.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(OneOf.Condition.class)
@interface OneOf {
    /** No more than there are cases. */
    int value();

    final class Condition implements ExecutionCondition {
        private static final Pattern CASE = Pattern.compile("invocation:#(\\d+)]$");
        private static final int FIRST = (int) TestSize.seed(OneOf.class);

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            Matcher found = CASE.matcher(context.getUniqueId());
            int oneOf = context.getElement()
                    .flatMap(element -> AnnotationSupport.findAnnotation(element, OneOf.class))
                    .map(OneOf::value).orElse(1);
            return TestSize.isNightly() || !found.find()
                    || Math.floorMod(FIRST + Integer.parseInt(found.group(1)), oneOf) == 0
                            ? ConditionEvaluationResult.enabled("it is its turn")
                            : ConditionEvaluationResult
                                    .disabled("one of " + oneOf + " runs, and all in the nightly run");
        }
    }
}

import { z } from 'zod';
import { otherRouteFor } from '#domain/contact/index.ts';
import { type Indicator, parseIndicator } from '#domain/indicator/index.ts';

const TEXT_MAX = 2_048;

/** A parameter that names a target, as text. If it is missing, the message says what belongs there. */
export const targetText = (what: string, example: string) =>
  z
    .string({
      error: ({ input }) => (input === undefined ? `Nothing was sent. It takes: ${what}` : 'Send it once.'),
    })
    .max(TEXT_MAX)
    .describe(what)
    .meta({ examples: [example] });

/**
 * A query that names one target in `query`. Parsed in the schema, so that a target which the route cannot use
 * is refused before a check is charged (decisions 1.4). `take` returns what the route needs, or a sentence
 * with the reason for the refusal.
 */
export const targetQuery = <T extends object>(
  text: ReturnType<typeof targetText>,
  take: (indicator: Indicator) => T | string,
) =>
  z.object({ query: text }).transform(({ query }, context): T => {
    const parsed = parseIndicator(query);
    const taken = parsed.ok ? take(parsed.indicator) : (otherRouteFor(query) ?? parsed.reason);
    if (typeof taken !== 'string') return taken;
    context.addIssue({ code: 'custom', path: ['query'], message: taken });
    return z.NEVER;
  });

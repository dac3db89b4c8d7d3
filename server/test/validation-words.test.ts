import { expect, test } from 'vitest';
import { z } from 'zod';
import { describeRoutes } from '#app/build-app.ts';
import type { Exchange } from '#platform/http/exchange.ts';
import type { Route } from '#platform/http/route.ts';
import { validatorOf } from '#platform/http/validate.ts';

/** How Zod words its issues; none of it may reach a caller. */
const ZOD_WORDS =
  /invalid (?:input|option|key|element|string|iso|email|url|uuid|number|discriminator)|expected|received|too (?:big|small)|unrecognized|>=|<=|must (?:start|end|include|match)/i;
/** A sentence: a capital letter or a quotation at the start, a full stop at the end, nothing that a terminal acts on. */
const SENTENCE = /^[A-Z'][^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*[.?]$/u;

const PARTS = ['query', 'params', 'body'] as const;
type Part = (typeof PARTS)[number];

const WRONG_VALUES: readonly unknown[] = [
  undefined,
  null,
  '',
  ' ',
  'no such option',
  'x'.repeat(3_000),
  '\u0000\u202e<script>',
  '-1',
  '1e999',
  'abc',
  7,
  -7.5,
  1e300,
  true,
  [],
  ['a', 'b'],
  [[], {}, null, 7],
  {},
  { unknown: 1 },
  Array.from({ length: 2_000 }, () => ({})),
];

/** Every field of a part set to every wrong value, the whole part replaced, and a field that does not exist. */
function wrongInputs(schema: z.ZodType): unknown[] {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, unknown>;
  };
  const names = Object.keys(json.properties ?? {});
  const all = WRONG_VALUES.map((value) => Object.fromEntries(names.map((name) => [name, value])));
  const each = names.flatMap((name) => WRONG_VALUES.map((value) => ({ [name]: value })));
  return [...WRONG_VALUES, ...all, ...each, { noSuchField: 1 }];
}

const sayings = (route: Route, part: Part, sent: unknown): string[] => {
  const exchange = { request: { query: {}, params: {}, body: {}, [part]: sent } } as unknown as Exchange;
  const error = validatorOf(route)(exchange);
  if (error === null) return [];
  return [error.message, ...(error.options.details ?? []).map(({ message }) => message)];
};

const routes = describeRoutes();
const parts = routes.flatMap((route) =>
  PARTS.flatMap((part) => {
    const schema = route[part];
    return schema === undefined
      ? []
      : [{ name: `${route.method} ${route.path} ${part}`, route, part, schema }];
  }),
);

test('wrong input of every route is refused in our sentences, none of them long', () => {
  expect(parts.length).toBeGreaterThan(20);
  const found = new Set<string>();
  let count = 0;
  for (const { name, route, part, schema } of parts)
    for (const sent of wrongInputs(schema))
      for (const [nth, said] of sayings(route, part, sent).entries()) {
        count += 1;
        const isSentence = nth === 0 || SENTENCE.test(said);
        if (ZOD_WORDS.test(said) || !isSentence || said.length > 600) found.add(`${name}: ${said}`);
      }
  expect(count).toBeGreaterThan(1_000);
  expect([...found]).toEqual([]);
});

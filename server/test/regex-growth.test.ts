import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { describeRoutes } from '#app/build-app.ts';
import { LINEAR_TIMES_MAX, timesInPieces } from '#test/growth.ts';
import { attackText } from '#test/regex-attacks.ts';
import { superlinearAttack } from '#test/regex-growth.ts';
import { scanSource } from '#test/scan-source.ts';

const SERVER = join(import.meta.dirname, '..');
/** A collector that finds nothing passes everything, so the test demands a minimum. */
const EXPRESSIONS_MIN = 400;

/** Expressions that may take more than linear work. Each line says why no text from outside can be long enough. */
const ALLOWED: Readonly<Record<string, string>> = {};

/** Expressions that are built when they are used, by file, with one of the values they take. */
const BUILT_LATER: Readonly<Record<string, RegExp>> = {
  'src/capabilities/providers/frame/redis-room.ts': /^used_memory:(\d+)/m,
};

const sources = globSync('src/**/*.ts', { cwd: SERVER })
  .filter((path) => !/\.(?:test|fixture)\.ts$/.test(path))
  .map((path) => ({ path, ...scanSource(readFileSync(join(SERVER, path), 'utf8')) }));

const literals = sources.flatMap(({ path, expressions }) =>
  expressions.map(({ text }) => ({ path, expression: asExpression(text) })),
);

function asExpression(text: string): RegExp {
  const end = text.lastIndexOf('/');
  return new RegExp(text.slice(1, end), text.slice(end + 1));
}

/** What a module passes to `new RegExp` when it is loaded. */
async function builtExpressions(): Promise<{ path: string; expression: RegExp }[]> {
  const found: { path: string; expression: RegExp }[] = [];
  const Original = globalThis.RegExp;
  const sites = sources.filter(({ code }) => /\bRegExp\s*\(/.test(code));
  globalThis.RegExp = new Proxy(Original, {
    construct(target, [source, flags]: [string, string?]) {
      const expression = new target(source, flags);
      const from = sites.find(({ path }) => new Error().stack?.includes(`/${path}`));
      if (from !== undefined) found.push({ path: from.path, expression });
      return expression;
    },
  });
  try {
    for (const { path } of sites) await import(/* @vite-ignore */ join(SERVER, `${path}?built`));
  } finally {
    globalThis.RegExp = Original;
  }
  for (const { path, code } of sites) {
    const later = BUILT_LATER[path];
    if (later !== undefined) found.push({ path, expression: later });
    const wanted = [...code.matchAll(/\bRegExp\s*\(/g)].length;
    const had = new Set(found.flatMap((one) => (one.path === path ? [String(one.expression)] : []))).size;
    expect(had, `${path} builds expressions that this test does not see`).toBeGreaterThanOrEqual(wanted);
  }
  return found;
}

/** The patterns of request schemas, those that Zod brings along included. */
function patternsOf(): { path: string; expression: RegExp }[] {
  return describeRoutes().flatMap((route) =>
    [route.query, route.params, route.body].flatMap((schema) => {
      if (schema === undefined) return [];
      const json = JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
      const found: { path: string; expression: RegExp }[] = [];
      JSON.parse(json, (key, value: unknown) => {
        if (key === 'pattern' && typeof value === 'string')
          found.push({ path: route.path, expression: new RegExp(value, 'u') });
        return value;
      });
      return found;
    }),
  );
}

describe('regular expressions do linear work on any text (reliability 3.F)', () => {
  test('every expression of the server, pumped with texts made from itself', async () => {
    const all = [...literals, ...(await builtExpressions()), ...patternsOf()];
    expect(literals.length).toBeGreaterThan(EXPRESSIONS_MIN);
    const judged = new Map<string, string>();
    for (const { path, expression } of all) {
      const name = String(expression);
      if (judged.has(name) || ALLOWED[name] !== undefined) continue;
      const attack = superlinearAttack(expression);
      judged.set(name, attack === null ? '' : `${path}: ${name} with ${JSON.stringify(attack)}`);
    }
    expect([...judged.values()].filter((found) => found !== '')).toEqual([]);
  });

  test('an allowed expression exists and says why it is allowed', () => {
    const names = new Set(literals.map(({ expression }) => String(expression)));
    for (const [name, reason] of Object.entries(ALLOWED)) {
      expect(names).toContain(name);
      expect(reason.length).toBeGreaterThan(30);
    }
  });
});

describe('detection of expressions that backtrack', () => {
  test.each([
    [/^(?:<!--[\s\S]*?-->\s*)*<html/i],
    [/^(?:a|a)*b/],
    [/^(?:\w+\s?)+$/],
    [/a+!/],
    [/\s+$/],
    [/^ +| +$/g],
    [/<a\b[^>]*>/],
    [/^[^ ]+\.[^ ]+$/],
    [/^x:\s*"?\s*(\S+)\s/],
  ])('%s is found', (expression) => {
    expect(superlinearAttack(expression)).not.toBeNull();
  });

  test.each([
    [/^[a-z]+$/],
    [/(?<!\s)\s+$/],
    [/"[^"]{1,200}"/g],
    [/^(['"])(.*)\1$/],
    [/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+$/],
    [/(?<=\.)[\])}](?=\w)/u],
  ])('%s is not reported', (expression) => {
    expect(superlinearAttack(expression)).toBeNull();
  });

  test('the engine itself needs the time that the steps predict', () => {
    const attack = superlinearAttack(/\s+$/);
    if (attack === null) throw new Error('No attack was found.');
    const make = (length: number) => attackText(attack, length);
    const times = (expression: RegExp) => timesInPieces((text) => expression.test(text), make, 12_000);
    expect(times(/\s+$/)).toBeGreaterThan(LINEAR_TIMES_MAX);
    expect(times(/(?<!\s)\s+$/)).toBeLessThan(LINEAR_TIMES_MAX);
  });
});

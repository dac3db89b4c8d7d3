import { describe, expect, test } from 'vitest';
import { EMPTY_PREVIEW, type Preview, type SentKind } from './preview.ts';
import { batchAt, planOf, requestsFor, shortfallOf, truthOf } from './run-plan.ts';

const ALL: ReadonlySet<SentKind> = new Set();
const preview = (...groups: Preview['groups']): Preview => ({ ...EMPTY_PREVIEW, groups });
const many = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, n) => `h${n}.example.com`);

describe('the plan of a run', () => {
  test('sends every value of every chosen type once', () => {
    const found = preview(
      { kind: 'ip', values: ['8.8.8.8', '9.9.9.9'], occurrences: 5 },
      { kind: 'domain', values: ['example.com'], occurrences: 1 },
      { kind: 'email', values: ['a@example.com'], occurrences: 2 },
    );
    expect(planOf(found, new Set(['email']))).toEqual({
      entities: ['8.8.8.8', '9.9.9.9', 'example.com'],
      tally: { pasted: 8, duplicates: 4, skipped: [{ why: 'not ticked', count: 1 }] },
    });
    expect(planOf(found, ALL).entities).toContain('a@example.com');
  });

  test('two spellings that the service would not tell apart are sent once, as the first', () => {
    const urls = ['https://example.com/A', 'https://example.com/a'];
    expect(planOf(preview({ kind: 'url', values: urls, occurrences: 2 }), ALL).entities).toEqual([
      'https://example.com/A',
    ]);
  });

  test('everything pasted is sent, skipped with its reason, or a repetition', () => {
    const found: Preview = {
      groups: [
        { kind: 'ip', values: ['8.8.8.8', '9.9.9.9'], occurrences: 5 },
        { kind: 'url', values: ['https://example.com/A', 'https://example.com/a'], occurrences: 2 },
      ],
      reserved: { total: 2, occurrences: 7, shown: [] },
      ranges: { total: 1, occurrences: 1, shown: [] },
      rejected: { total: 3, occurrences: 4, shown: [] },
    };
    const { entities, tally } = planOf(found, ALL);
    expect(tally.skipped).toEqual([
      { why: 'private', count: 2 },
      { why: 'range', count: 1 },
      { why: 'not readable', count: 3 },
    ]);
    const skipped = tally.skipped.reduce((sum, { count }) => sum + count, 0);
    expect(tally.pasted).toBe(19);
    expect(tally.duplicates + skipped + entities.length).toBe(tally.pasted);
  });

  test.each([
    [0, 100, 0],
    [1, 100, 1],
    [100, 100, 1],
    [101, 100, 2],
    [203, 100, 3],
    [5, 0, 5],
  ])('%i entities under a cap of %i make %i requests', (count, cap, requests) => {
    expect(requestsFor(many(count), cap)).toBe(requests);
  });

  test('the requests of a list are the list: nothing twice, nothing lost', () => {
    const entities = many(57);
    const sent: string[] = [];
    while (sent.length < entities.length) sent.push(...batchAt(entities, sent.length, 10));
    expect(sent).toEqual(entities);
  });

  test('a request stays below the size of a body, and goes on where it stopped', () => {
    const long = Array.from({ length: 600 }, (_, n) => `https://example.com/${n}/${'é'.repeat(1_000)}`);
    const first = batchAt(long, 0, 600);
    expect(new TextEncoder().encode(JSON.stringify(first)).length).toBeLessThan(1_048_576);
    expect(first.length).toBeLessThan(600);
    expect(batchAt(long, first.length, 600)[0]).toBe(long[first.length]);
  });

  test('a single value larger than a body still goes out, to be refused by the service and not to hang here', () => {
    expect(batchAt(['x'.repeat(1_100_000), 'y'], 0, 10)).toHaveLength(1);
  });
});

describe('the cost line', () => {
  const tally = { pasted: 215, duplicates: 9, skipped: [{ why: 'private', count: 3 }] };
  const plan = { entities: many(203), tally };

  test.each([
    [
      { cap: 100, left: 7_311 },
      '215 pasted, 9 duplicates, 3 private: 203 to check, 3 requests, uses 203 of 7,311 checks left',
    ],
    [
      { cap: 100, left: null },
      '215 pasted, 9 duplicates, 3 private: 203 to check, 3 requests, uses 203 checks',
    ],
    [{ cap: null, left: null }, '215 pasted, 9 duplicates, 3 private: 203 to check, uses 203 checks'],
  ])('states known limits and leaves out unknown ones: %j', (allowance, line) => {
    expect(truthOf(plan, allowance)).toBe(line);
  });

  test('uses the singular for one, and does not mention zero duplicates', () => {
    const one = { pasted: 1, duplicates: 0, skipped: [] };
    expect(truthOf({ entities: ['8.8.8.8'], tally: one }, { cap: 10, left: 1 })).toBe(
      '1 pasted: 1 to check, 1 request, uses 1 of 1 check left',
    );
  });

  test.each([
    [203, null],
    [null, null],
    [200, 'That is 3 more than are left this month.'],
    [0, 'No checks are left this month.'],
  ])('with %s left the shortfall is %s', (left, sentence) => {
    const shortfall = shortfallOf(plan, { cap: 100, left });
    if (sentence === null) expect(shortfall).toBeNull();
    else expect(shortfall).toContain(sentence);
  });
});

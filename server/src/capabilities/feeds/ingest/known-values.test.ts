import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bySize } from '#test/lane.ts';
import { hasFirstSeen, printOf } from './extras-print.ts';
import {
  type KnownColumns,
  KnownValues,
  NO_PRINT,
  PRINT_GONE,
  PRINT_UNKNOWN,
  roomFor,
} from './known-values.ts';

const textsOf = ({ count, ends, bytes }: KnownColumns): string[] =>
  Array.from({ length: count }, (_, at) =>
    Buffer.from(bytes.subarray(ends[at - 1] ?? 0, ends[at])).toString('latin1'),
  );
const pairsOf = (columns: KnownColumns) =>
  textsOf(columns)
    .map((text, at) => [text, columns.prints[at]] as const)
    .filter(([, print]) => print !== PRINT_GONE);

/** Applies a snapshot to the table as the intake does; returns the rows that were handed over. */
function read(known: KnownValues, rows: readonly (readonly [string, number])[]) {
  return rows.filter(([text, print]) => {
    const found = known.find(text);
    return found < 0 ? known.add(text, print) : known.offer(found, print);
  });
}
/** Columns with spare room, as the file of known values reads them. */
function roomy(columns: KnownColumns): KnownColumns {
  const room = roomFor(columns.count, columns.slots.length, columns.bytes.length);
  room.ends.set(columns.ends);
  room.prints.set(columns.prints);
  room.slots.set(columns.slots);
  room.bytes.set(columns.bytes);
  return { ...room, listed: columns.listed };
}
const tableOf = (rows: readonly (readonly [string, number])[]): KnownColumns => {
  const known = new KnownValues();
  read(known, rows);
  return known.after();
};

const tableWith = (rows: readonly (readonly [string, number])[]) => new KnownValues(roomy(tableOf(rows)));

describe('a table of known values', () => {
  test('finds exactly the values that were added, in any order, and nothing else', () => {
    const values = fc.uniqueArray(fc.string({ unit: 'binary-ascii', maxLength: 12 }), { maxLength: 300 });
    fc.assert(
      fc.property(values, values, (inside, outside) => {
        const known = new KnownValues(roomy(tableOf(inside.map((text) => [text, NO_PRINT]))));
        for (const [at, text] of inside.entries()) expect(known.find(text)).toBe(at);
        for (const [at, text] of [...inside.entries()].reverse()) expect(known.find(text)).toBe(at);
        for (const text of outside) expect(known.find(text) >= 0).toBe(inside.includes(text));
        expect(known.find('\u0161')).toBe(-1);
      }),
    );
  });

  test('grows past its first size and keeps everything', () => {
    const rows = Array.from({ length: 50_000 }, (_, at) => [`host${at}.example.com`, at % 3] as const);
    expect(pairsOf(tableOf(rows))).toEqual(rows);
  });

  test('hands over a value that is new or has other facts, once', () => {
    const known = tableWith([
      ['a', 2],
      ['b', 2],
      ['c', 2],
    ]);
    const handed = read(known, [
      ['a', 2],
      ['b', 4],
      ['b', 4],
      ['d', 2],
      ['d', 2],
      ['a', 2],
    ]);
    expect(handed).toEqual([
      ['b', 4],
      ['d', 2],
    ]);
    expect([...known.gone()]).toEqual(['c']);
    expect([...known.twins()]).toEqual([]);
    expect(pairsOf(known.after())).toEqual([
      ['a', 2],
      ['b', 4],
      ['d', 2],
    ]);
  });

  test('a value with two sets of facts is named as a twin and compared by PostgreSQL from then on', () => {
    for (const rows of [
      [
        ['a', 2],
        ['a', 4],
      ],
      [
        ['a', 4],
        ['a', 2],
      ],
    ] as const) {
      const known = tableWith([['a', 2]]);
      expect(read(known, rows)).toEqual([['a', 4]]);
      expect([...known.twins()]).toEqual([{ text: 'a', print: 2 }]);
      const after = known.after();
      expect(pairsOf(after)).toEqual([['a', PRINT_UNKNOWN]]);
      expect(read(new KnownValues(roomy(after)), rows)).toHaveLength(2);
    }
  });

  test('a new value with two sets of facts is handed over with both, and compared by PostgreSQL from then on', () => {
    const known = new KnownValues();
    expect(
      read(known, [
        ['a', 2],
        ['a', 4],
      ]),
    ).toHaveLength(2);
    expect(pairsOf(known.after())).toEqual([['a', PRINT_UNKNOWN]]);
  });
});

/** Values from a small alphabet, so that they repeat. */
const oneOf = fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), fc.constantFrom(0, 2, 4));

test('through any sequence of snapshots the table holds the values of the last one, and names those that left', () => {
  fc.assert(
    fc.property(fc.array(fc.array(oneOf, { maxLength: 8 }), { minLength: 1, maxLength: 6 }), (snapshots) => {
      let columns: KnownColumns = tableOf([]);
      let before = new Set<string>();
      for (const rows of snapshots) {
        const known: KnownValues = new KnownValues(roomy(columns));
        read(known, rows);
        const now = new Set(rows.map(([text]) => text));
        expect(new Set(known.gone())).toEqual(before.difference(now));
        columns = known.after();
        expect(new Set(pairsOf(columns).map(([text]) => text))).toEqual(now);
        expect(columns.listed).toBe(now.size);
        const forms = (text: string) =>
          new Set(rows.filter(([other]) => other === text).map(([, print]) => print));
        for (const [text, print] of pairsOf(columns))
          if (print !== PRINT_UNKNOWN) expect([...forms(text)]).toEqual([print]);
        before = now;
      }
    }),
    { numRuns: bySize(100, 500) },
  );
});

describe('a fingerprint', () => {
  test('is 0 without facts and never with facts, and tells whether there is a first sighting', () => {
    expect(printOf(null)).toBe(NO_PRINT);
    const extras = fc.record(
      {
        firstSeenMs: fc.integer({ min: 1, max: 2e12 }),
        lastSeenMs: fc.integer({ min: 1, max: 2e12 }),
        confidence: fc.integer({ min: 0, max: 100 }),
        reference: fc.string({ minLength: 1 }),
        family: fc.string({ minLength: 1 }),
        rank: fc.integer({ min: 1, max: 1e6 }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(extras, extras, (one, other) => {
        expect([NO_PRINT, PRINT_GONE, PRINT_UNKNOWN]).not.toContain(printOf(one));
        expect(hasFirstSeen(printOf(one))).toBe(one.firstSeenMs !== undefined);
        if (JSON.stringify(one) === JSON.stringify(other)) expect(printOf(one)).toBe(printOf(other));
        else expect(printOf(one)).not.toBe(printOf(other));
      }),
    );
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { CorpusReplica, Source } from '#capabilities/corpus/index.ts';
import { type Indicator, parseIndicator } from '#domain/indicator/index.ts';
import { registrySource } from '#test/registry.ts';
import { drawChart } from '../../bench/accuracy/draw-chart.ts';
import { failuresOf, gatesOf } from '../../bench/accuracy/gates.ts';
import { HeldOut } from '../../bench/accuracy/held-out.ts';
import { openJudge } from '../../bench/accuracy/judge-corpus.ts';
import type { Accuracy } from '../../bench/accuracy/measure.ts';
import { Negatives } from '../../bench/accuracy/negatives.ts';
import { platformRoots } from '../../bench/accuracy/platform-roots.ts';
import { Scorecard } from '../../bench/accuracy/scorecard.ts';
import { readDifferences } from '../../bench/accuracy/write-expected.ts';
import { readForward } from '../../bench/accuracy/write-forward.ts';
import { writeReport } from '../../bench/accuracy/write-report.ts';
import { readSignalDays } from '../../bench/accuracy/write-signals.ts';
import { LISTINGS, SOURCES } from '../src/capabilities/corpus/dataset.ts';
import { createKeyWriter } from '../src/capabilities/corpus/indicator-key.ts';
import { LISTING_BYTES } from '../src/capabilities/corpus/listing-value.ts';
import { packRanges } from '../src/capabilities/corpus/range-table.ts';

const PROJECT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(PROJECT, path), 'utf8');
const kept = JSON.parse(read('bench/results/accuracy.json')) as Accuracy;
const NOW_MS = Date.parse('2026-08-23T00:00:00Z');

const indicator = (text: string): Indicator => {
  const parsed = parseIndicator(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.indicator;
};

/** A `registrySource` of grade B with data of today. */
const list = (number: number, given: Partial<Source> = {}): Source =>
  registrySource({
    number,
    reliability: 0.75,
    letter: 'B',
    dataAtS: NOW_MS / 1_000,
    lastFetchAtS: NOW_MS / 1_000,
    ...given,
  });

function replicaOf(sources: readonly Source[], listed: Readonly<Record<string, readonly number[]>>) {
  const keys = createKeyWriter();
  const keyOf = (text: string): string => Buffer.from(keys.of(indicator(text))).toString('hex');
  const values = new Map(
    Object.entries(listed).map(([text, numbers]) => {
      const value = Buffer.alloc(numbers.length * LISTING_BYTES);
      for (const [at, number] of numbers.entries()) {
        value.writeUInt16BE(number, at * LISTING_BYTES);
        value[at * LISTING_BYTES + LISTING_BYTES - 2] = 127;
      }
      return [keyOf(text), value];
    }),
  );
  const derived = (name: string): Uint8Array =>
    name === SOURCES ? Buffer.from(JSON.stringify(sources)) : packRanges([], name.endsWith('4') ? 1 : 4);
  const view = {
    seq: 1,
    get: (collection: string, key: Uint8Array) =>
      collection === LISTINGS ? values.get(Buffer.from(key).toString('hex')) : undefined,
    memo: <T>(_name: string, build: (of: { derived: typeof derived }) => T): T => build({ derived }),
  };
  return { view: () => view } satisfies CorpusReplica;
}

describe('the accuracy benchmark', () => {
  test('the published page and its picture show the stored figures', () => {
    expect(read('docs/accuracy.md')).toBe(
      writeReport(kept, readForward(), readDifferences(), readSignalDays()),
    );
    expect(read('docs/accuracy.svg')).toBe(drawChart(kept));
  });

  test('the stored figures pass every gate', () => {
    expect(gatesOf(kept)).toHaveLength(17);
    expect(failuresOf(kept)).toEqual([]);
  });

  test('an exceeded gate is reported with its figure, and so is a set without any finding', () => {
    const negatives = structuredClone(kept.negatives);
    negatives['tranco-10k'].levels.high = 1;
    negatives['moz-500'].entries = 0;
    const sums = { judged: 10, exact: 9, consistent: 8, faintMalicious: 1 };
    const failures = failuresOf({ ...kept, negatives, sums });
    expect(failures).toContain('tranco-10k-high: 1, at most 0 allowed');
    expect(failures).toContain('sums-inexact: 1, at most 0 allowed');
    expect(failures).toContain('contradictions: 2, at most 0 allowed');
    expect(failures).toContain('malicious-below-medium: 1, at most 0 allowed');
    expect(failures).toContain('moz-500: nothing was measured');
  });

  test('a held-out entry is detected by another lineage, never by its own or by an aggregate list', () => {
    const sources = [
      list(1, { lineage: 'one' }),
      list(2, { lineage: 'one' }),
      list(3, { aggregate: true }),
      list(4, { lineage: 'other' }),
    ];
    const judge = openJudge(replicaOf(sources, { 'alone.com': [1, 2, 3], 'both.com': [1, 4] }), NOW_MS);
    const heldOut = new HeldOut(judge);
    for (const text of ['alone.com', 'both.com']) heldOut.add(judge.sample(indicator(text)));
    // Two lineages: `one` had both its entries held out in turn, `other` its only one.
    expect(heldOut.categories()).toEqual([
      { category: 'malware', entries: 3, anyList: 2, twoLists: 0, low: 2, medium: 2, high: 0 },
    ]);
    expect(judge.sums.exact).toBe(judge.sums.judged);
  });

  test('a popular host counts as a false alarm of the list that names it, with and without that list', () => {
    const sources = [
      list(1, { lineage: 'one', letter: 'A', fpRisk: 'low' }),
      list(2, { lineage: 'other', letter: 'A', fpRisk: 'low' }),
      list(3, { id: 'misp-tranco10k', threatClass: 'allowlist', guard: 'popularity', rankMax: 10_000 }),
      list(4, {
        id: 'misp-majestic-million',
        threatClass: 'allowlist',
        guard: 'popularity',
        rankMax: 10_000,
        tags: ['popularity:links'],
      }),
    ];
    const listed = { 'accused.com': [1, 2, 3], 'quiet.com': [3, 4], 'unpopular.com': [1, 2] };
    const judge = openJudge(replicaOf(sources, listed), NOW_MS);
    const negatives = new Negatives(judge);
    const known = Object.keys(listed).map((text) => negatives.add(judge.sample(indicator(text))));
    expect(known).toEqual([true, true, false]);
    const { entries, policies, levels, withoutOwnGuard, named } = negatives.settle()['tranco-10k'];
    expect({ entries, ...policies }).toEqual({ entries: 2, anyList: 1, twoLists: 1 });
    expect(levels).toMatchObject({ safe: 1, medium: 1 });
    expect(withoutOwnGuard).toMatchObject({ safe: 1, high: 1 });
    expect(named).toMatchObject([{ value: 'accused.com', level: 'medium' }]);
    expect(named[0]?.adjustments[0]).toMatch(/^popular -\d+$/);
  });

  test('a source is confirmed by another lineage only, and counts as alone when no other lineage lists its entry', () => {
    const sources = [list(1, { lineage: 'one' }), list(2, { lineage: 'one' }), list(3)];
    const judge = openJudge(replicaOf(sources, { 'a.com': [1, 2], 'b.com': [1, 3], 'c.com': [1] }), NOW_MS);
    const scorecard = new Scorecard();
    for (const text of ['a.com', 'b.com', 'c.com']) scorecard.add(judge.sample(indicator(text)));
    expect(scorecard.scores()[0]).toMatchObject({
      id: 'list-1',
      entries: 3,
      corroborated: 1,
      unique: 1,
      knownGood: 0,
    });
  });

  test('platform roots are the names of the private section of the public suffix list and the bases of its wildcards', () => {
    const roots = new Set(platformRoots());
    expect(roots.size).toBeGreaterThan(3_000);
    for (const name of ['github.io', 'pages.dev', 'localto.net']) expect(roots).toContain(name);
    for (const name of ['co.uk', 'example.com']) expect(roots).not.toContain(name);
  });
});

import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  containsBogon,
  isBogon,
  type Listable,
  parseIndicator,
} from '../../server/src/domain/indicator/index.ts';
import { EXPECTATIONS, readExamples } from '../examples.ts';
import { makeAsnTable } from './asn-table.ts';
import { type Edition, editionsOf, FIRST_DAY } from './history.ts';
import { NETWORKS } from './networks.ts';
import { SOURCES } from './sources.ts';
import { NEVER_LISTED, STORIES } from './stories.ts';

const TODAY_MS = Date.UTC(2026, 5, 17, 12);
const DAY_MS = 86_400_000;
const all: ReadonlyMap<string, readonly Edition[]> = new Map(
  SOURCES.map((source) => [source.id, editionsOf(source, TODAY_MS)]),
);
const latest = (id: string): readonly string[] => all.get(id)?.at(-1)?.entries ?? [];
const digestOf = (editions: readonly Edition[]): string =>
  createHash('sha256').update(JSON.stringify(editions)).digest('hex');

describe('the sample', () => {
  test('is the same on every run', () => {
    for (const source of SOURCES)
      expect(digestOf(editionsOf(source, TODAY_MS)), source.id).toBe(digestOf(all.get(source.id) ?? []));
  });

  test('has the same values on every day: only its dates move', () => {
    for (const source of SOURCES) {
      const later = editionsOf(source, TODAY_MS + 100 * DAY_MS);
      expect(later.map(({ entries }) => entries)).toEqual(all.get(source.id)?.map(({ entries }) => entries));
    }
  });

  test('holds indicators that the service lists, and nothing else', () => {
    const texts = new Set(
      [...all.values()].flatMap((editions) => editions.flatMap(({ entries }) => entries)),
    );
    for (const text of texts) expect(isListable(text), text).toBe(true);
  });

  test('has 30,000 to 50,000 distinct indicators of all four types in about 25 lists', () => {
    const now = new Set(SOURCES.flatMap(({ id }) => latest(id)));
    expect(now.size).toBeGreaterThan(30_000);
    expect(now.size).toBeLessThan(50_000);
    const kinds = new Set([...now].map((text) => indicatorOf(text)?.kind));
    expect(kinds).toEqual(new Set(['cidr', 'domain', 'hash', 'ip', 'url']));
    expect(SOURCES.length).toBeGreaterThanOrEqual(20);
  });

  test('says of every list that it is a sample', () => {
    for (const { id, name } of SOURCES) {
      expect(id).toMatch(/^sample-/);
      expect(name).toMatch(/^Sample: /);
    }
  });

  test('names below example.com, example.net and example.org alone, except popular names that no list accuses', () => {
    for (const { id, threatClass } of SOURCES)
      for (const edition of all.get(id) ?? [])
        for (const text of edition.entries) {
          const name = nameOf(text);
          if (name !== null && threatClass !== 'allowlist')
            expect(name, `${id}: ${text}`).toMatch(/\.example\.(?:com|net|org)$/);
        }
  });

  test('brings something new and loses something on each of the last 30 days', () => {
    const [came, left] = [new Set<number>(), new Set<number>()];
    for (const { id } of SOURCES.filter(({ threatClass }) => threatClass === 'threat')) {
      let before: ReadonlySet<string> | null = null;
      for (const { day, entries } of all.get(id) ?? []) {
        const now: ReadonlySet<string> = new Set(entries);
        if (before !== null && !now.isSubsetOf(before)) came.add(day);
        if (before !== null && !before.isSubsetOf(now)) left.add(day);
        before = now;
      }
    }
    const month = new Set(Array.from({ length: -FIRST_DAY }, (_, nth) => FIRST_DAY + 1 + nth));
    expect(came).toEqual(month);
    expect(left).toEqual(month);
  });

  test('tells its stories to the end: each value is on its list today, or has left it on its day', () => {
    for (const { source, text, until } of STORIES) {
      const isThere = text.split(',').every((value) => latest(source).includes(value));
      expect(isThere, `${source}: ${text}`).toBe(until === undefined);
    }
  });

  test('every address is in a sample network, so that it has a place and a number', () => {
    const prefixes = new Set(NETWORKS.map(({ prefix4 }) => prefix4));
    expect(prefixes.size).toBe(NETWORKS.length);
    for (const { id } of SOURCES)
      for (const text of latest(id).filter((each) => /^\d+\.\d+\.\d+\.\d+/.test(each)))
        expect(prefixes, text).toContain(text.split('.').slice(0, 2).join('.'));
    expect(makeAsnTable().trim().split('\n')).toHaveLength(NETWORKS.length * 2);
  });
});

describe('the examples', () => {
  const examples = readExamples();

  test('show every kind of answer', () => {
    expect(new Set(examples.map(({ expect: expected }) => expected))).toEqual(new Set(EXPECTATIONS));
    const unknown = examples.filter((example) => example.expect === 'unknown').map(({ type }) => type);
    expect(unknown.toSorted()).toEqual(['domain', 'hash', 'ip', 'url']);
  });

  test.each(examples)('$value is on a list now, or shows why it is not', ({ value, expect: expected }) => {
    const listing = SOURCES.filter(({ id }) => latest(id).includes(value)).map(({ id }) => id);
    if (expected === 'unknown') {
      expect(NEVER_LISTED).toContain(value);
      expect(listing).toEqual([]);
    } else if (expected === 'fading') expect(listing).toEqual([]);
    else expect(listing).not.toEqual([]);
  });

  test('no range holds an address that is shown as unknown', () => {
    const unknown = examples.filter(({ type, expect: expected }) => type === 'ip' && expected === 'unknown');
    for (const { value } of unknown) {
      const prefix = value.split('.').slice(0, 2).join('.');
      for (const { id } of SOURCES)
        expect(latest(id).some((text) => text.startsWith(`${prefix}.`))).toBe(false);
    }
  });
});

function indicatorOf(text: string): Listable | null {
  const parsed = parseIndicator(text);
  return parsed.ok ? parsed.indicator : null;
}

function isListable(text: string): boolean {
  const indicator = indicatorOf(text);
  if (indicator === null) return false;
  if (indicator.kind === 'ip') return !isBogon(indicator);
  return indicator.kind !== 'cidr' || !(isBogon(indicator) || containsBogon(indicator));
}

function nameOf(text: string): string | null {
  const indicator = indicatorOf(text);
  if (indicator?.kind === 'domain') return indicator.value;
  return indicator?.kind === 'url' && indicator.host.kind === 'domain' ? indicator.host.value : null;
}

import { describe, expect, test } from 'vitest';
import { CATALOGUE } from './catalogue.ts';
import type { CatalogueRow } from './catalogue-row.ts';
import { isFree, isPrecise, precisionOf } from './precision.ts';

const threats = CATALOGUE.filter(({ threatClass, adOnly }) => threatClass === 'threat' && adOnly !== true);
const idsOf = (rows: readonly CatalogueRow[]): readonly string[] => rows.map(({ id }) => id).toSorted();

/** Aggregates repeat what the other lists say, and so add nothing where these are loaded. */
const couldBeOn = (row: CatalogueRow): boolean => {
  const precision = precisionOf(row);
  return isFree(row) && row.aggregate !== true && precision !== null && isPrecise(precision);
};

describe('which threat lists a new deployment loads', () => {
  test('every free list that was measured to be precise is on, or its row says why not', () => {
    expect(
      idsOf(threats.filter((row) => couldBeOn(row) && !row.isDefault && row.offReason === undefined)),
    ).toEqual([]);
  });

  test('only a list that could be on has a reason to be off', () => {
    expect(
      idsOf(threats.filter((row) => row.offReason !== undefined && (row.isDefault || !couldBeOn(row)))),
    ).toEqual([]);
  });

  test('no list is on of which people visit more than 1 in 400 names, or 2 in 100 addresses belong to services', () => {
    const imprecise = threats.filter((row) => {
      const precision = precisionOf(row);
      if (!row.isDefault || precision === null) return false;
      return precision.of === 'addresses' ? precision.inServices > 0.02 : !isPrecise(precision);
    });
    expect(idsOf(imprecise)).toEqual([]);
  });

  test('no list with a high risk of false positives is on by measurement', () => {
    expect(idsOf(threats.filter((row) => couldBeOn(row) && row.isDefault && row.fpRisk === 'high'))).toEqual(
      [],
    );
  });

  test('a new deployment has lists of phishing, command servers, malware, files, attackers and wallets without a key', () => {
    const first = threats.filter((row) => row.isDefault && row.key === undefined);
    const entriesOf = (isWanted: (row: CatalogueRow) => boolean): number =>
      first.filter(isWanted).reduce((sum, { entries = 0 }) => sum + entries, 0);
    expect(entriesOf(({ category }) => category === 'phishing')).toBeGreaterThan(400_000);
    expect(entriesOf(({ category }) => category === 'c2')).toBeGreaterThan(40_000);
    expect(entriesOf(({ entityTypes }) => entityTypes[0] === 'hash')).toBeGreaterThan(100_000);
    expect(entriesOf(({ category }) => category === 'bruteforce')).toBeGreaterThan(130_000);
    expect(entriesOf(({ entityTypes }) => entityTypes.includes('crypto'))).toBeGreaterThan(600);
  });
});

describe('precision', () => {
  const of = (id: string) => precisionOf(CATALOGUE.find((row) => row.id === id) as CatalogueRow);

  test('goes by names where at least 1,000 were measured, else by addresses or files', () => {
    expect(of('polkadot-phishing')).toMatchObject({ of: 'names', entries: 54_014 });
    expect(of('phishtank')).toMatchObject({ of: 'names', freshShare: 0.000375798 });
    expect(of('c2intelfeeds')).toMatchObject({ of: 'addresses', entries: 857, inServices: 0.0012 });
    expect(of('malware-hash-db')).toEqual({ of: 'files' });
    expect(of('cert-polska')).toBeNull();
  });

  test.each([
    ['polkadot-phishing', true],
    ['destroylist', true],
    ['blp-phishing', false],
    ['sw-malware', false],
    ['data-shield', true],
    ['myip', false],
    ['cybercrime-tracker', false],
    ['ofac-crypto', true],
  ])('%s is precise: %s', (id, expected) => {
    const precision = of(id);
    expect(precision !== null && isPrecise(precision)).toBe(expected);
  });
});

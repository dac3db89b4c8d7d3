import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Indicator, parseIndicator } from '#domain/indicator/index.ts';
import { registrySource } from '#test/registry.ts';
import { measureC2Order } from '../../bench/accuracy/c2-order.ts';
import { DAY_S, dayOf, HISTORIES, routedAddresses } from '../../bench/accuracy/evaluation-data.ts';
import { openJudge } from '../../bench/accuracy/judge-corpus.ts';
import { MemoryReplica } from '../../bench/accuracy/memory-replica.ts';
import { openPastCorpus } from '../../bench/accuracy/past-corpus.ts';
import { measureForward } from '../../bench/accuracy/time-forward.ts';
import { measureVisits } from '../../bench/accuracy/visits.ts';

const DAY = '2026-05-22';
const HISTORY: Readonly<Record<string, string>> = {
  'threatfox-ips': `5.5.5.5\t2026-05-20/\n5.5.5.6\t2026-04-01/\n5.5.5.7\t2026-05-30/\n5.5.5.8\t2026-08-01/\n`,
  'phishtank-hosts': `early.example.com\t2026-05-21/2026-05-23\nlate.early-example.com\t2026-06-01/\n`,
  'maltrail-trails': `5.5.5.9:8080\t/\nlate.early-example.com\t/\n/payload.bin\t2026-05-01/\nleft.example.org\t2026-05-01/2026-05-20\n`,
};

let data: string;
const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(data, path)), { recursive: true });
  writeFileSync(join(data, path), gzipSync(text));
};
const indicator = (text: string): Indicator => {
  const parsed = parseIndicator(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.indicator;
};

beforeAll(() => {
  data = mkdtempSync(join(tmpdir(), 'assay-evaluation-'));
  for (const name of HISTORIES) write(`history/${name}.tsv.gz`, HISTORY[name] ?? '');
  write('visited/crux-hosts-sample.tsv.gz', 'honest.example.org\t1000\naccused.example.com\t5000\n');
  write('geo/asn/asn-ipv4.csv.gz', '5.5.5.0,5.5.5.255,1,"One, Inc."\n9.9.8.0,9.9.8.255,2,Two\n');
});
afterAll(() => rmSync(data, { recursive: true, force: true }));

const listing = (firstSeen: string) => ({
  sourceNumber: 1,
  firstSeenS: dayOf(firstSeen) * DAY_S,
  lastSeenS: 0,
  confidence: -1,
  dating: 'own' as const,
  isDelisted: false,
});
const source = registrySource({
  number: 1,
  id: 'threatfox',
  category: 'c2',
  letter: 'A',
  reliability: 0.95,
  fpRisk: 'low',
  dataAtS: dayOf(DAY) * DAY_S,
  lastFetchAtS: dayOf(DAY) * DAY_S,
});

describe('the evaluation data', () => {
  test('routed addresses lie in routed networks and are the same in every run', async () => {
    const addresses = await routedAddresses(data, 50);
    expect(addresses.every((address) => /^(5\.5\.5|9\.9\.8)\.\d+$/.test(address))).toBe(true);
    expect(await routedAddresses(data, 50)).toEqual(addresses);
    expect(new Set(addresses.map((address) => address.split('.')[0])).size).toBe(2);
  });

  test('visited hosts count by level, and apart where a list names the host itself', async () => {
    const replica = new MemoryReplica([source]);
    replica.add(indicator('accused.example.com'), listing(DAY));
    const { visited, routed } = await measureVisits(
      openJudge(replica, dayOf(DAY) * DAY_S * 1_000),
      data,
      200,
    );
    expect(visited.hosts).toBe(2);
    expect(visited.levels.inconclusive).toBe(1);
    expect(visited.listed.inconclusive).toBe(0);
    expect(visited.listed.medium).toBe(1);
    expect(routed.levels.inconclusive).toBe(routed.addresses);
  });
});

describe('time-forward', () => {
  test('a past day holds what was listed then; what a list first names within 30 days is ahead', async () => {
    const { listed, ahead, replica } = await openPastCorpus(data, dayOf(DAY));
    expect(listed).toMatchObject({ 'threatfox-ips': 2, 'phishtank-hosts': 1, 'maltrail-trails': 2 });
    expect(ahead.map(({ history, indicator: { value } }) => `${history} ${value}`)).toEqual([
      'threatfox-ips 5.5.5.7',
      'phishtank-hosts late.early-example.com',
    ]);
    const judge = openJudge(replica, dayOf(DAY) * DAY_S * 1_000);
    const datings = (text: string) =>
      judge
        .sample(indicator(text))
        .assessment.listings.map(({ dating, isDelisted = false }) => ({ dating, isDelisted }));
    expect(datings('5.5.5.9')).toEqual([{ dating: 'undated', isDelisted: false }]);
    expect(datings('left.example.org')).toEqual([{ dating: 'sighted', isDelisted: true }]);
    expect(datings('5.5.5.8')).toEqual([]);
  });

  test('lead recall asks what the day knew of an entry, and a rule may add to it', async () => {
    const [alone] = await measureForward(data, [DAY], undefined, 200);
    expect(alone?.leads['phishtank-hosts']).toMatchObject({ named: 1, low: 1, high: 0 });
    expect(alone?.leads['threatfox-ips']).toEqual({ named: 1, low: 0, medium: 0, high: 0 });
    expect(alone).toMatchObject({ day: DAY, rule: 'lists alone', routed: 0 });
  });
});

describe('the order of C2 addresses', () => {
  test('an older address above a younger one of the same evidence is counted and named', async () => {
    const replica = new MemoryReplica([source]);
    const at = dayOf(DAY) * DAY_S * 1_000;
    for (const [value, day] of [
      ['5.5.5.5', '2026-05-20'],
      ['5.5.5.6', '2026-04-01'],
    ] as const)
      replica.add(indicator(value), listing(day));
    expect(await measureC2Order(openJudge(replica, at), data)).toMatchObject({ addresses: 2, inverted: 0 });
    const wrong = new MemoryReplica([source]);
    for (const [value, day] of [
      ['5.5.5.5', '2026-01-01'],
      ['5.5.5.6', '2026-05-21'],
    ] as const)
      wrong.add(indicator(value), { ...listing(day), lastSeenS: dayOf(day) * DAY_S });
    const found = await measureC2Order(openJudge(wrong, at), data);
    expect(found.inverted).toBe(1);
    expect(found.examples[0]).toMatch(/^5\.5\.5\.6 \d+ above 5\.5\.5\.5 \d+$/);
  });
});

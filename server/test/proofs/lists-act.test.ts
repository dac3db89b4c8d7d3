import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findFormat } from '#capabilities/blocklists/formats/formats.ts';
import { keepResult } from '#test/proof-results.ts';
import { seededRandom } from '#test/seeded-random.ts';
import type { FirewallOrder, FirewallReport } from './lists-act/firewall-report.ts';
import { type ListProxy, startHaproxy, startSquid } from './lists-act/proxies.ts';
import { ADDRESSES, hasRealData, NAMES, openRealLists, type RealLists } from './lists-act/real-lists.ts';
import { RESOLVERS, type Resolver, startResolver } from './lists-act/resolvers.ts';
import { needPrograms, openFolder, removeFolders } from './lists-act/run-program.ts';
import { type Sample, sampleAddresses, sampleNames } from './lists-act/sample-values.ts';

/** Programs of Debian load the files that the service serves and block what is listed, and nothing else. */
const OF_EACH = 1_000;
const BELOW = 200;
const AT_ONCE = 8;
const FIREWALL = join(import.meta.dirname, 'lists-act/firewall-child.ts');
const FIREWALL_WITHIN_MS = 900_000;

if (!hasRealData())
  process.stdout.write('SKIPPED: the real data set is not beside this project (../shared/data).\n');

/** Asks about every value, a few at a time, and gives the values with another answer than the wanted one. */
async function othersThan<T>(
  wanted: T,
  values: readonly string[],
  ask: (value: string) => Promise<T>,
): Promise<readonly string[]> {
  const others: string[] = [];
  const left = values.values();
  const askOn = async () => {
    for (const value of left) {
      const answer = await ask(value);
      if (answer !== wanted) others.push(`${value}: ${String(answer)}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, askOn));
  return others;
}

describe.skipIf(!hasRealData())('the full lists of the real data set', () => {
  let lists: RealLists;
  let addresses: Sample;
  let names: Sample;
  beforeAll(async () => {
    lists = await openRealLists();
    const [ips, domains] = [await lists.entriesOf(ADDRESSES), await lists.entriesOf(NAMES)];
    addresses = sampleAddresses(ips, OF_EACH, seededRandom('addresses of lists'));
    names = sampleNames(domains, OF_EACH, seededRandom('names of lists'));
    keepResult('lists-act', { addresses: ips.length, names: domains.length });
  });
  afterAll(async () => {
    await lists?.stop();
    removeFolders();
  });

  test('the samples have 1,000 values that are listed and 1,000 that are not', () => {
    for (const { listed, unlisted } of [addresses, names]) {
      expect(new Set(listed).size).toBe(OF_EACH);
      expect(new Set(unlisted).size).toBe(OF_EACH);
    }
    for (const values of [addresses.listed, addresses.unlisted])
      expect(values.some((value) => value.includes(':'))).toBe(true);
  });

  test.each([
    { program: 'nftables', formats: ['nftables'], needs: ['nft'] },
    { program: 'ipset', formats: ['ipset'], needs: ['nft', 'ipset', 'iptables'] },
    { program: 'iptables', formats: ['iptables', 'ip6tables'], needs: ['nft', 'iptables'] },
  ] as const)(
    '$program drops packets from listed addresses and no others',
    async ({ program, formats, needs }) => {
      needPrograms('unshare', 'ip', ...needs);
      const files = await Promise.all(formats.map((format) => lists.download(ADDRESSES, format)));
      const entries = files.reduce((sum, file) => sum + file.entries, 0);
      const report = await runFirewall({
        program,
        files: files.map(({ path }) => path),
        sources: mixed(addresses),
      });
      const { seconds, reloadSeconds, peakMb, dropped } = report;
      keepResult(`lists-act.${program}`, {
        entries,
        seconds,
        reloadSeconds,
        peakMb,
        dropped,
        passed: report.received.length,
      });
      expect(report.loaded).toEqual([entries, entries]);
      expect(report.arrived).toBe(2 * OF_EACH);
      expect(report.received.toSorted()).toEqual(addresses.unlisted.toSorted());
      expect(report.dropped).toBe(OF_EACH);
      expect(report.log).toBe('');
    },
  );

  test.each(RESOLVERS)('%s: listed names and names below them are blocked, and no others', async (format) => {
    const { path, entries, left } = await lists.download(NAMES, format);
    const resolver = await startResolver(format, path);
    try {
      await expectBlocking(resolver, names, { figure: `lists-act.${format}`, entries, left });
    } finally {
      await resolver.stop();
    }
  });

  test.each([
    ['haproxy', startHaproxy],
    ['squid', startSquid],
  ] as const)('%s denies listed addresses and names, and no others', async (format, start) => {
    const ips = await lists.download(ADDRESSES, format);
    const domains = await lists.download(NAMES, format);
    const proxy: ListProxy = await start({ addresses: ips.path, names: domains.path });
    try {
      keepResult(`lists-act.${format}`, { addresses: ips.entries, names: domains.entries, ...proxy.ready });
      expect(await othersThan(403, addresses.listed, proxy.askAddress)).toEqual([]);
      expect(await othersThan(200, addresses.unlisted, proxy.askAddress)).toEqual([]);
      expect(await othersThan(403, names.listed, proxy.askName)).toEqual([]);
      expect(await othersThan(200, names.unlisted, proxy.askName)).toEqual([]);
      expect(await proxy.loadedAddresses()).toBe(ips.entries);
      expect(await proxy.loadedNames()).toBe(domains.entries);
      expect(proxy.complaints()).toEqual([]);
    } finally {
      await proxy.stop();
    }
  });

  describe('every accused name of the data set, whatever its score', () => {
    let accused: readonly string[];
    let sample: Sample;
    beforeAll(async () => {
      accused = await lists.accusedNames();
      sample = sampleNames(accused, OF_EACH, seededRandom('accused names'));
      keepResult('lists-act.accused', { names: accused.length });
      expect(accused.length).toBeGreaterThan(1_000_000);
    });

    test.each(RESOLVERS)('%s takes them and blocks them', async (format) => {
      const { path, entries, left } = await renderNames(accused, format);
      const resolver = await startResolver(format, path);
      try {
        await expectBlocking(resolver, sample, { figure: `lists-act.accused-${format}`, entries, left });
      } finally {
        await resolver.stop();
      }
    });
  });
});

type Expected = { readonly figure: string; readonly entries: number; readonly left: number };

async function expectBlocking(resolver: Resolver, sample: Sample, expected: Expected): Promise<void> {
  const { figure, entries, left } = expected;
  keepResult(figure, { entries, left, ...resolver.ready });
  expect(await othersThan('blocked', sample.listed, resolver.ask)).toEqual([]);
  const below = sample.listed.slice(0, BELOW).map((name) => `www.${name}`);
  expect(await othersThan('blocked', below, resolver.ask)).toEqual([]);
  expect(await othersThan('passed', sample.unlisted, resolver.ask)).toEqual([]);
  const blocked = new Set([...sample.listed, ...below]);
  expect(resolver.forwarded().filter((name) => blocked.has(name))).toEqual([]);
  expect(await resolver.loaded()).toBe(entries);
  expect(resolver.complaints()).toEqual([]);
}

/** Listed and unlisted in turn, so that a filter that stops working half way is seen. */
const mixed = ({ listed, unlisted }: Sample): readonly string[] =>
  listed.flatMap((value, at) => [value, unlisted[at] ?? value]);

async function runFirewall(order: FirewallOrder): Promise<FirewallReport> {
  const file = join(await openFolder(), 'order.json');
  writeFileSync(file, JSON.stringify(order));
  const { stdout } = await promisify(execFile)('unshare', ['-n', process.execPath, FIREWALL, file], {
    timeout: FIREWALL_WITHIN_MS,
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(stdout) as FirewallReport;
}

async function renderNames(
  names: readonly string[],
  name: string,
): Promise<{ readonly path: string; readonly entries: number; readonly left: number }> {
  const format = findFormat(name, 'names');
  if (format === undefined) throw new Error(`There is no format '${name}' for names.`);
  const { body, entries, left } = format.render({
    kind: 'names',
    label: 'domains-all',
    entries: names.map((value) => ({ value, score: 50, family: null, reason: '' })),
    annotate: false,
    builtAtMs: Date.now(),
  });
  const path = join(await openFolder(), `${name}.txt`);
  writeFileSync(path, body);
  return { path, entries, left };
}

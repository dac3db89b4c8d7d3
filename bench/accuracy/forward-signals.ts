import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { PlatformCounts } from '../../server/src/capabilities/signals/platform-counts.ts';
import { signalBookOf } from '../../server/src/capabilities/signals/signal-book.ts';
import type { SignalTables } from '../../server/src/capabilities/signals/signal-tables.ts';
import { icannSuffixOf, parseIndicator } from '../../server/src/domain/indicator/index.ts';
import {
  BAD_MAX_A_SOURCE,
  CROWDED_SYSTEM_SHARE,
  EMPTY_NAMES,
  GOOD_MAX,
  indexAddresses,
  LISTED_NOW,
  NameSample,
  popularLooks,
  trainNames,
} from '../../server/src/domain/signals/index.ts';
import type { PastCorpus } from './past-corpus.ts';
import { type Networks, readNetworks } from './routed-networks.ts';
import type { ForwardRule } from './time-forward.ts';

/** Lists of good names. They have no history, so every past day uses their state of August. */
const GOOD = [
  'allowlists/cloudflare-top100k/list.json.gz',
  'allowlists/cloudflare-top10k/list.json.gz',
  'allowlists/tranco10k/list.json',
  'allowlists/majestic_million/list.json.gz',
  'allowlists/moz-top500/list.json',
  'allowlists/university_domains/list.json.gz',
  'allowlists/bank-website/list.json',
  'warninglists/dynamic-dns/list.json.gz',
  'warninglists/public-dns-hostname/list.json.gz',
];
const POPULAR = ['allowlists/tranco10k/list.json', 'allowlists/cloudflare-top10k/list.json.gz'];
/** Sources of phishing, whose new names train the table of names, and whose new tenants make a platform hot. */
const PHISHING = ['phishtank'];
const BAD_NAMES_DAYS = 60;
const HEAT_DAYS = 90;

/** The tables of a past day, trained on its lists as the nightly job trains them. */
export async function tablesAt(past: PastCorpus, data: string) {
  const addresses = Uint32Array.from(past.addresses.keys()).sort();
  const listed = indexAddresses(
    addresses,
    Uint8Array.from(addresses, (address) => past.addresses.get(address) as number),
  );
  const networks = await readNetworks(data);
  const crowdedSystems = crowdedOf(
    addresses.filter((_, at) => ((listed.bits[at] as number) & LISTED_NOW) !== 0),
    networks,
  );
  const names = trainNames(badNames(past), goodNames(data)).table;
  const platforms = platformsOf(past);
  const looks = popularLooks(
    POPULAR.flatMap((path) => namesIn(data, path)).flatMap((name) => icannSuffixOf(name)?.registrable ?? []),
  );
  return { networks, listed, crowdedSystems, names, looks, platforms };
}

/** One rule for each signal of a past day, and one for all of them together. */
export async function signalRules(past: PastCorpus, data: string): Promise<readonly ForwardRule[]> {
  const { networks, listed, crowdedSystems, names, looks, platforms } = await tablesAt(past, data);
  const none: SignalTables = {
    listed: indexAddresses(new Uint32Array(), new Uint8Array()),
    crowdedSystems: new Set<number>(),
    names: EMPTY_NAMES,
    looks: popularLooks([]),
    platforms: new Map(),
  };
  const rule = (name: string, tables: Partial<SignalTables>): ForwardRule => ({
    name,
    given: { signals: signalBookOf('00000001', { ...none, ...tables }), book: networks.book },
  });
  return [
    rule('and crowded networks', { listed, crowdedSystems }),
    rule('and names', { names }),
    rule('and imitation', { looks }),
    rule('and hot platforms', { platforms }),
    rule('and all signals', { listed, crowdedSystems, names, looks, platforms }),
  ];
}

function badNames(past: PastCorpus): readonly NameSample[] {
  const sample = new NameSample(BAD_MAX_A_SOURCE);
  for (const host of newNames(past, PHISHING, BAD_NAMES_DAYS)) sample.add(host);
  return [sample];
}

function platformsOf(past: PastCorpus): SignalTables['platforms'] {
  const counts = new PlatformCounts();
  for (const host of newNames(past, PHISHING, HEAT_DAYS)) counts.add(host);
  return new Map(counts.platforms().map(({ suffix, ...heat }) => [suffix, heat]));
}

function newNames({ names, day }: PastCorpus, sources: readonly string[], days: number): readonly string[] {
  return sources.flatMap((id) =>
    (names.get(id) ?? []).flatMap(({ name, since }) => (since !== null && since >= day - days ? [name] : [])),
  );
}

function goodNames(data: string): NameSample {
  const sample = new NameSample(GOOD_MAX);
  for (const path of GOOD) for (const name of namesIn(data, path)) sample.add(name);
  return sample;
}

function namesIn(data: string, path: string): readonly string[] {
  const bytes = readFileSync(join(data, path));
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  return (JSON.parse(text) as { list: readonly string[] }).list.flatMap((value) => {
    const parsed = parseIndicator(value);
    return parsed.ok && parsed.indicator.kind === 'domain' ? [parsed.indicator.value] : [];
  });
}

function crowdedOf(addresses: Uint32Array, { asnOf, sizes }: Networks): ReadonlySet<number> {
  const counts = new Map<number, number>();
  for (const address of addresses) {
    const asn = asnOf(address);
    if (asn > 0) counts.set(asn, (counts.get(asn) ?? 0) + 1);
  }
  return new Set(
    [...counts]
      .filter(([asn, count]) => count / (sizes.get(asn) ?? count) >= CROWDED_SYSTEM_SHARE)
      .map(([asn]) => asn),
  );
}

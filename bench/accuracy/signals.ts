import { join } from 'node:path';
import { parseIndicator } from '../../server/src/domain/indicator/index.ts';
import {
  type Crowding,
  crowdingOf,
  type NameTable,
  namePartsOf,
  neighboursOf,
  scoreName,
} from '../../server/src/domain/signals/index.ts';
import { dayOf, visitedHosts } from './evaluation-data.ts';
import { tablesAt } from './forward-signals.ts';
import { openPastCorpus, type PastCorpus } from './past-corpus.ts';
import { FORWARD_DAYS } from './time-forward.ts';
import { keepSignals, signalLines } from './write-signals.ts';

/** Unlisted addresses near listed ones, and how many of them a list names within the next 30 days. */
export type Rate = { unlisted: number; listed: number };
/** Number of later-listed own domains above the name score that flags the share `visited` of visited hosts. */
export type CurvePoint = { readonly visited: number; readonly foreseen: number };
export type SignalDay = {
  readonly day: string;
  readonly rates: Readonly<Record<Crowding, Rate>>;
  /** Number of hosts that PhishTank first named in the 30 days after: own domains, and tenants of platforms. */
  readonly ahead: { readonly own: number; readonly tenant: number };
  readonly curve: readonly CurvePoint[];
};

const SHARES = [0.0001, 0.0002, 0.0003, 0.0005, 0.001, 0.002, 0.005] as const;
const ADDRESSES_A_NETWORK = 256;

type Tables = Awaited<ReturnType<typeof tablesAt>>;

/** Counts every address of each /24 that has a listed address: only there an address can have listed neighbours. */
function ratesOf(past: PastCorpus, { listed, crowdedSystems, networks }: Tables): SignalDay['rates'] {
  const rates: Record<Crowding, Rate> = {
    some: { unlisted: 0, listed: 0 },
    dense: { unlisted: 0, listed: 0 },
    veryDense: { unlisted: 0, listed: 0 },
  };
  const known = new Set(listed.addresses);
  const ahead = new Set(
    past.ahead.flatMap(({ indicator }) =>
      indicator.kind === 'ip' && indicator.version === 4 ? [indicator.address] : [],
    ),
  );
  const starts = new Set(
    Array.from(listed.addresses, (address) => address - (address % ADDRESSES_A_NETWORK)),
  );
  for (const start of starts)
    for (let address = start; address < start + ADDRESSES_A_NETWORK; address += 1) {
      if (known.has(address)) continue;
      const isCrowded = (): boolean => crowdedSystems.has(networks.asnOf(address));
      const crowding = crowdingOf(neighboursOf(listed, address), isCrowded);
      if (crowding === null) continue;
      rates[crowding].unlisted += 1;
      if (ahead.has(address)) rates[crowding].listed += 1;
    }
  return rates;
}

type Scores = { readonly own: number[]; readonly tenant: number[] };

function scoresOf(names: NameTable, hosts: readonly string[]): Scores {
  const scores: Scores = { own: [], tenant: [] };
  for (const host of hosts) {
    const parts = namePartsOf(host);
    if (parts !== null) scores[parts.isTenant ? 'tenant' : 'own'].push(scoreName(names, parts));
  }
  return scores;
}

const domainOf = (text: string): readonly string[] => {
  const parsed = parseIndicator(text);
  return parsed.ok && parsed.indicator.kind === 'domain' ? [parsed.indicator.value] : [];
};

async function measureDay(data: string, day: string): Promise<SignalDay> {
  const past = await openPastCorpus(data, dayOf(day));
  const tables = await tablesAt(past, data);
  const hosts: string[] = [];
  for await (const host of visitedHosts(data)) hosts.push(...domainOf(host));
  const visited = scoresOf(tables.names, hosts).own.sort((a, b) => b - a);
  const named = past.ahead
    .filter(({ history, indicator }) => history === 'phishtank-hosts' && indicator.kind === 'domain')
    .map(({ indicator }) => indicator.value);
  const { own, tenant } = scoresOf(tables.names, named);
  return {
    day,
    rates: ratesOf(past, tables),
    ahead: { own: own.length, tenant: tenant.length },
    curve: SHARES.map((share) => {
      const threshold = visited[Math.floor(visited.length * share)] as number;
      return { visited: share, foreseen: own.filter((score) => score > threshold).length };
    }),
  };
}

/**
 * npm run bench:signals -- [--print]
 * What the signals say of themselves on past days: how often a neighbour is listed next, and what the name table would
 * foresee at other thresholds. Writes `bench/results/signals.json`, which `bench:accuracy` puts into its page.
 */
const DATA = join(import.meta.dirname, '../../../shared/data');
const measured: SignalDay[] = [];
for (const day of FORWARD_DAYS) measured.push(await measureDay(DATA, day));
for (const line of signalLines(measured)) process.stdout.write(`${line}\n`);
if (!process.argv.includes('--print')) keepSignals(measured);

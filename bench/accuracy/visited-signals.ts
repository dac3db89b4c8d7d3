import { join } from 'node:path';
import { contextOf } from '../../server/src/capabilities/corpus/index.ts';
import { EMPTY_BOOK } from '../../server/src/capabilities/enrichment/index.ts';
import { type SignalBook, signalBookOf } from '../../server/src/capabilities/signals/signal-book.ts';
import { parseIndicator, tenantPlatform } from '../../server/src/domain/indicator/index.ts';
import { dayOf, visitedHosts } from './evaluation-data.ts';
import { tablesAt } from './forward-signals.ts';
import { openPastCorpus } from './past-corpus.ts';

/** Names with each signal, and with any; tenants of platforms are counted apart. */
type Counts = { names: number; tenants: number; any: number; anyTenant: number; by: Map<string, number> };

const noCounts = (): Counts => ({ names: 0, tenants: 0, any: 0, anyTenant: 0, by: new Map() });

/** Without listings, so that no list silences a signal: the counts are those of the names alone. */
function count(counts: Counts, book: SignalBook, text: string): void {
  const parsed = parseIndicator(text);
  if (!parsed.ok || parsed.indicator.kind !== 'domain') return;
  const { indicator } = parsed;
  const isTenant = tenantPlatform(indicator.value) !== null;
  counts.names += 1;
  if (isTenant) counts.tenants += 1;
  const signals = book.signalsOf(indicator, contextOf([], indicator), EMPTY_BOOK);
  if (signals === null) return;
  counts.any += 1;
  if (isTenant) counts.anyTenant += 1;
  const { name, imitates, tenant, brand } = signals;
  const raised = [
    ...(name === null ? [] : ['name']),
    ...(imitates === null ? [] : ['imitates']),
    ...(tenant === null ? [] : ['tenant']),
    ...(brand === null ? [] : ['brand', `brand ${brand.technique}`]),
  ];
  for (const signal of raised) counts.by.set(signal, (counts.by.get(signal) ?? 0) + 1);
}

/** Only tenants have the signal `tenant`, and only own domains have `name`. */
function ofKind(signal: string, held: number, { names, tenants }: Pick<Counts, 'names' | 'tenants'>): string {
  if (signal === 'name') return `, of own domains ${percent(held, names - tenants)}`;
  const isOfTenants = signal === 'tenant' || signal === 'brand onPlatform';
  return isOfTenants ? `, of tenants ${percent(held, tenants)}` : '';
}

const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(4)} %`;

function print(what: string, { names, tenants, any, anyTenant, by }: Counts): void {
  const line = (text: string): void => void process.stdout.write(`${text}\n`);
  line(`${what}: ${names} names, ${tenants} of them tenants`);
  for (const [signal, held] of [...by].sort(([a], [b]) => (a < b ? -1 : 1)))
    line(`  ${signal}: ${held}, ${percent(held, names)}${ofKind(signal, held, { names, tenants })}`);
  line(`  any: ${any}, ${percent(any, names)}; of tenants ${anyTenant}, ${percent(anyTenant, tenants)}`);
}

/**
 * npm run bench:visited -- [YYYY-MM-DD]
 * Trains the signals on a past day and counts the names that raise them: of the hosts that people visit (false alarms), and
 * of those that PhishTank first named in the 30 days after the day.
 */
const DATA = join(import.meta.dirname, '../../../shared/data');
const past = await openPastCorpus(DATA, dayOf(process.argv[2] ?? '2026-07-23'));
const book = signalBookOf('00000001', await tablesAt(past, DATA));
const visited = noCounts();
for await (const host of visitedHosts(DATA)) count(visited, book, host);
print('visited', visited);
const ahead = noCounts();
for (const { history, indicator } of past.ahead)
  if (history === 'phishtank-hosts') count(ahead, book, indicator.value);
print('PhishTank, next 30 days', ahead);

import type { SubscriptionMetrics, UsageAnalytics } from '@assay/sdk';
import { exact, plural } from '../../words/numbers.ts';

type Meter = UsageAnalytics['monthly'];
type Storage = SubscriptionMetrics['storage'];

/** The use of a meter in this month, with a forecast for its end. Months begin at 00:00 UTC on the 1st. */
export function monthSentence({ used, limit }: Meter, what: string, nowMs: number): string {
  if (limit === 0) return `The plan has no ${what}s.`;
  const left = Math.max(0, limit - used);
  const said = `${exact(used)} of ${exact(limit)} ${what}s used this month, ${exact(left)} left.`;
  const now = new Date(nowMs);
  const startMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
  const endMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
  const share = (nowMs - startMs) / (endMs - startMs);
  // No forecast in the first tenth of a month, which says little about the rest of it.
  if (used === 0 || share < 0.1) return said;
  const pace = Math.round(used / share);
  return `${said} At this pace it will be ${exact(pace)}${pace > limit ? ', more than the plan allows' : ''}.`;
}

const STEP = 1_024;
const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

function bytes(count: number): string {
  const unit = count < STEP ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log(count) / Math.log(STEP)));
  const size = count / STEP ** unit;
  return `${unit === 0 || size >= 100 ? exact(Math.round(size)) : size.toFixed(1)} ${UNITS[unit]}`;
}

const STORED: Readonly<Record<string, string>> = {
  report: 'reports',
  case: 'cases',
  inventory: 'inventories of CVE watch',
  webhook: 'webhooks',
  watch: 'watched values',
  indicator: 'own indicators',
  reply: 'replies kept for a day',
};

/** What the account stores, and what takes most of the space. */
export function storageSentence({ used, limit, byKind }: Storage): string {
  const said = `${bytes(used)} of ${bytes(limit)} stored.`;
  const [most] = Object.entries(byKind).toSorted((a, b) => b[1] - a[1]);
  return most === undefined || most[1] <= 0
    ? said
    : `${said} Most of it is ${STORED[most[0]] ?? most[0]}: ${bytes(most[1])}.`;
}

export const nextMonth = (nowMs: number): string => {
  const now = new Date(nowMs);
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)).toISOString().slice(0, 10);
};

export function requestsSentence({ period, requests }: UsageAnalytics): string {
  const busiest = requests.byDay.toSorted((a, b) => b.count - a.count)[0];
  const said = `${plural(requests.total, 'request')} from ${period.from} to ${period.to}`;
  return busiest === undefined || busiest.count === 0
    ? `${said}.`
    : `${said}, the most on ${busiest.day}: ${exact(busiest.count)}.`;
}

const CLASSES: Readonly<Record<string, string>> = {
  '1xx': 'in progress',
  '2xx': 'answered',
  '3xx': 'unchanged or elsewhere',
  '4xx': 'refused',
  '5xx': 'failed',
};
export const statusWord = (name: string): string => `${name} ${CLASSES[name] ?? ''}`.trim();

export const shareOf = (count: number, total: number): string =>
  total === 0 ? '' : `${((100 * count) / total).toFixed(1)} %`;

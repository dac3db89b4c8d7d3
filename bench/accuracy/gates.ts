import { atLeast } from './level-counts.ts';
import type { Accuracy } from './measure.ts';

export type Gate = {
  readonly name: string;
  readonly what: string;
  readonly max: number;
  readonly measured: number;
};

/**
 * The limits on false alarms. A failing gate is fixed by a rule or by a source's catalogue row, never by an exception
 * for one entry.
 */
export function gatesOf({ negatives, sums, visits, c2Order }: Accuracy): readonly Gate[] {
  const at = (name: keyof typeof negatives, level: 'medium' | 'high'): number =>
    atLeast(negatives[name].levels, level);
  const service = negatives['service-addresses'];
  return [
    {
      name: 'tranco-10k-high',
      what: 'Tranco first 10,000, high or above',
      max: 0,
      measured: at('tranco-10k', 'high'),
    },
    {
      name: 'tranco-10k-medium',
      what: 'Tranco first 10,000, medium or above',
      max: 10,
      measured: at('tranco-10k', 'medium'),
    },
    {
      name: 'cloudflare-10k-high',
      what: 'Cloudflare first 10,000, high or above',
      max: 0,
      measured: at('cloudflare-10k', 'high'),
    },
    {
      name: 'cloudflare-10k-medium',
      what: 'Cloudflare first 10,000, medium or above',
      max: 10,
      measured: at('cloudflare-10k', 'medium'),
    },
    {
      name: 'cloudflare-100k-medium',
      what: 'Cloudflare first 100,000, medium or above (0.05 %)',
      max: 50,
      measured: at('cloudflare-100k', 'medium'),
    },
    {
      name: 'popular-www-medium',
      what: 'Hosts of all top lists with `www.` before them, medium or above',
      max: 10,
      measured: at('popular-www', 'medium'),
    },
    {
      name: 'visited-medium-percent',
      what: 'Hosts that people visit, medium or above, in percent',
      max: 0.04,
      measured: percent(atLeast(visits.visited.levels, 'medium'), visits.visited.hosts, 4),
    },
    {
      name: 'routed-medium-percent',
      what: 'Routed addresses that no list names, medium or above, in percent',
      max: 0.03,
      measured: percent(atLeast(visits.routed.levels, 'medium'), visits.routed.addresses, 4),
    },
    {
      name: 'named-services-medium',
      what: 'Addresses and names of a named service, medium or above without an accusation of grade A',
      max: 0,
      measured: at('named-services', 'medium'),
    },
    {
      name: 'c2-inverted',
      what: 'C2 addresses with a higher score than a younger one of the same evidence',
      max: 0,
      measured: c2Order.inverted,
    },
    {
      name: 'malicious-below-medium',
      what: 'Verdicts that say `malicious` below 35 points',
      max: 0,
      measured: sums.faintMalicious,
    },
    {
      name: 'psl-private-roots-medium',
      what: 'Platform roots (public suffix list, private section), medium or above',
      max: 0,
      measured: at('psl-private-roots', 'medium'),
    },
    {
      name: 'service-addresses-high-percent',
      what: 'Accused addresses inside service ranges, high or above, in percent',
      max: 1,
      measured: percent(atLeast(service.levels, 'high'), service.entries),
    },
    {
      name: 'research-scanners-medium',
      what: 'Research scanners accused of attacks or nuisance only, medium or above',
      max: 0,
      measured: at('research-scanners', 'medium'),
    },
    {
      name: 'research-scanners-critical-medium',
      what: 'Research scanners accused of C2, malware, phishing or ransomware, medium or above',
      max: 50,
      measured: at('research-scanners-critical', 'medium'),
    },
    {
      name: 'contradictions',
      what: 'Verdicts whose level, word, action and `malicious` do not say the same',
      max: 0,
      measured: sums.judged - sums.consistent,
    },
    {
      name: 'sums-inexact',
      what: 'Verdicts whose factors do not add up to the score',
      max: 0,
      measured: sums.judged - sums.exact,
    },
  ];
}

/** An empty set fails too: its lists have disappeared from the corpus, so nothing was measured. */
export function failuresOf(accuracy: Accuracy): readonly string[] {
  const exceeded = gatesOf(accuracy)
    .filter(({ max, measured }) => !(measured <= max))
    .map(({ name, max, measured }) => `${name}: ${measured}, at most ${max} allowed`);
  const empty = Object.entries(accuracy.negatives)
    .filter(([, { entries }]) => entries === 0)
    .map(([name]) => `${name}: nothing was measured`);
  return [...exceeded, ...empty];
}

const percent = (part: number, whole: number, digits = 2): number =>
  Number(((100 * part) / whole).toFixed(digits));

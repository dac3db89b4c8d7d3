import type { Attenuation } from '../model.ts';
import type { Opinion } from '../opinion.ts';

export type WorkedExample = {
  readonly name: string;
  readonly opinions: readonly Opinion[];
  readonly attenuation?: Attenuation;
  readonly score: number;
  readonly level: string;
  /** Points for each source; compared only where nothing is attenuated. */
  readonly points: Readonly<Record<string, number>>;
};

const opinion = (sourceId: string, of: Partial<Opinion>): Opinion => ({
  sourceId,
  type: 'ip',
  category: 'bruteforce',
  fpRisk: 'low',
  reliability: 0.95,
  lineage: sourceId,
  isAggregate: false,
  isGradeA: false,
  ageDays: 0,
  isUndated: false,
  isEchoing: false,
  isDelisted: false,
  matchFactor: 1,
  ...of,
});

const fail2ban = (ageDays: number) => opinion('fail2ban', { fpRisk: 'medium', reliability: 0.75, ageDays });
const phishing = (ageDays: number) => [
  opinion('lures', { type: 'domain', category: 'phishing', reliability: 0.9, ageDays }),
  opinion('reports', { type: 'domain', category: 'phishing', fpRisk: 'medium', reliability: 0.8, ageDays }),
];
const hijacked = opinion('hijacked', { category: 'malware' });

/** The worked examples of scoring 5, for which the model was chosen; they show every change of a constant. */
export const WORKED_EXAMPLES: readonly WorkedExample[] = [
  {
    name: 'a command server on two lists of one operator and on an independent brute-force list',
    opinions: [
      opinion('servers', { category: 'c2', lineage: 'operator' }),
      opinion('sightings', { category: 'c2', lineage: 'operator', ageDays: 1 }),
      fail2ban(0),
    ],
    score: 93,
    level: 'critical',
    points: { servers: 63, sightings: 11, fail2ban: 19 },
  },
  {
    name: 'one brute-force list today',
    opinions: [fail2ban(0)],
    score: 42,
    level: 'medium',
    points: { fail2ban: 42 },
  },
  {
    name: 'the same 26 days after it was delisted',
    opinions: [fail2ban(26)],
    score: 9,
    level: 'safe',
    points: { fail2ban: 9 },
  },
  {
    name: 'a phishing host on two independent lists today',
    opinions: phishing(0),
    score: 86,
    level: 'critical',
    points: { lures: 60, reports: 26 },
  },
  {
    name: 'the same after 21 days',
    opinions: phishing(21),
    score: 48,
    level: 'medium',
    points: { lures: 29, reports: 19 },
  },
  {
    name: 'an address only inside an observed /16 of a poor list',
    opinions: [
      opinion('poor', { category: 'abuse', fpRisk: 'high', reliability: 0.5, matchFactor: 2 ** (-16 / 6) }),
    ],
    score: 2,
    level: 'safe',
    points: { poor: 2 },
  },
  {
    name: 'an address inside an owned, hijacked range',
    opinions: [hijacked],
    score: 83,
    level: 'high',
    points: { hijacked: 83 },
  },
  {
    name: 'a malware sample seen 400 days ago',
    opinions: [opinion('samples', { type: 'hash', category: 'malware', reliability: 0.98, ageDays: 400 })],
    score: 88,
    level: 'critical',
    points: { samples: 88 },
  },
  {
    name: 'an owned, hijacked range inside a service range',
    opinions: [hijacked],
    attenuation: { crit: 0.5, attack: 0.15, nuis: 0.15 },
    score: 59,
    level: 'medium',
    points: {},
  },
];

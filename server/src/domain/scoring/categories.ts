import { MODEL, SCORE_CATEGORIES, type ScoreCategory, type Tier } from './model.ts';

const KNOWN: ReadonlySet<string> = new Set(SCORE_CATEGORIES);

/** Maps the categories of sources to score categories (ruling 2). */
const MAPPED: ReadonlyMap<string, ScoreCategory> = new Map(
  Object.entries({
    'attack-source': 'bruteforce',
    'brute-force': 'bruteforce',
    'web-attack': 'exploit',
    'voip-fraud': 'fraud',
    sanctioned: 'fraud',
    'malicious-activity': 'abuse',
    aggregate: 'abuse',
    bot: 'abuse',
    'hijacked-netblock': 'malware',
    apt: 'malware',
    spyware: 'malware',
    stalkerware: 'malware',
    cryptojacking: 'malware',
    'vulnerable-driver': 'malware',
    typosquat: 'scam',
    ddos: 'botnet',
  } satisfies Record<string, ScoreCategory>),
);

/** An unknown category counts as abuse, the weakest accusation; `isKnownCategory` lets the caller report it. */
export const scoreCategoryOf = (category: string): ScoreCategory =>
  KNOWN.has(category) ? (category as ScoreCategory) : (MAPPED.get(category) ?? 'abuse');

export const isKnownCategory = (category: string): boolean => KNOWN.has(category) || MAPPED.has(category);

export const tierOf = (category: ScoreCategory): Tier => MODEL.tierOf[category];

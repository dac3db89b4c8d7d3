import { claimDescription, claimUrlOf } from '../claim-text.ts';
import { countryOf } from '../countries.ts';
import { readGroupName } from '../group-name.ts';
import { type Sector, sectorOf } from '../sectors.ts';
import { readVictim, type Victim } from '../victim.ts';
import { readTimeMs } from './read-time.ts';

/** What a tracker says of one post on a leak site. */
export type Post = Victim & {
  readonly group: string;
  readonly groupKey: string;
  readonly discoveredAtMs: number;
  readonly attackedAtMs: number | null;
  readonly country: string | null;
  readonly sector: Sector | null;
  readonly description: string | null;
  /** Defanged. */
  readonly claimUrl: string | null;
};

/** The fields of a post under our names, still as the source wrote them. */
export type SaidPost = {
  readonly title: unknown;
  readonly group: unknown;
  readonly discovered: unknown;
  readonly attacked?: unknown;
  readonly country?: unknown;
  readonly activity?: unknown;
  readonly website?: unknown;
  readonly description?: unknown;
  readonly url?: unknown;
};

export const POST_REFUSALS = ['no victim', 'no group', 'no date'] as const;
export type PostRefusal = (typeof POST_REFUSALS)[number];

const DESCRIPTION_MAX = 1_000;

export function readPost(said: SaidPost): Post | PostRefusal {
  const victim = readVictim(said.title, said.website);
  if (victim === null) return 'no victim';
  const group = readGroupName(said.group);
  if (group === null) return 'no group';
  const discoveredAtMs = readTimeMs(said.discovered);
  if (discoveredAtMs === null) return 'no date';
  return {
    ...victim,
    group: group.name,
    groupKey: group.key,
    discoveredAtMs,
    attackedAtMs: readTimeMs(said.attacked),
    country: countryOf(said.country),
    sector: sectorOf(said.activity),
    description: claimDescription(said.description, DESCRIPTION_MAX),
    claimUrl: claimUrlOf(said.url),
  };
}

export type ReadRows<Row> = {
  readonly rows: readonly Row[];
  /** Rows that could not be used, by reason. */
  readonly refused: Readonly<Record<string, number>>;
};

/** Reads each row by itself: a row that cannot be used is counted and does not affect the others. */
export function readEach<Said, Row>(said: readonly Said[], read: (one: Said) => Row | string): ReadRows<Row> {
  const rows: Row[] = [];
  const refused: Record<string, number> = {};
  for (const one of said) {
    const row = read(one);
    if (typeof row === 'string') refused[row] = (refused[row] ?? 0) + 1;
    else rows.push(row);
  }
  return { rows, refused };
}

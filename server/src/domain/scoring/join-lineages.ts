import { MODEL, type Tier } from './model.ts';

/** One listing after context, as a lineage says it. */
export type Spoken = {
  readonly name: string;
  readonly lineage: string;
  readonly tier: Tier;
  readonly nats: number;
};

type Share = { readonly name: string; readonly share: number };
export type Joined = {
  /** The nats of each listing that are left; together they are the evidence of the case. */
  readonly shares: readonly Share[];
  readonly lineages: ReadonlyMap<string, number>;
};

const natsOf = (points: number): number => -Math.log(1 - points / 100);
const LINEAGE_ATTACK_MAX = natsOf(MODEL.lineageAttackMax);
const CRITICAL_MAX = natsOf(100 * MODEL.tierCap.crit);
const ATTACK_MAX = natsOf(100 * MODEL.tierCap.attack);
/** 60 points, because 42 lists of noise are `high` (trap 1); of a name 59, because lists of names repeat each other. */
const NUISANCE_MAX = natsOf(100 * MODEL.tierCap.nuis);
const NUISANCE_NAME_MAX = natsOf(MODEL.names.nuisanceScoreMax);
const NAME_MAX = natsOf(MODEL.names.scoreMax);

/**
 * Joins what lineages say (scoring 3). In one lineage attacks and noise are worth 50 points at most. Of a name the
 * strongest lineage counts whole and every other one a quarter; of everything else the lineages add up, because sensors
 * see addresses independently. Where a limit takes something away, the listings under it shrink by one factor.
 */
export function joinLineages(
  spoken: readonly Spoken[],
  { isOfName, nonCriticalMax }: { readonly isOfName: boolean; readonly nonCriticalMax: number },
): Joined {
  const limited = withinLineages(spoken);
  const lineages = sumsOf(limited);
  const led = isOfName ? leadingFirst(limited, lineages) : limited;
  const calm = nonCriticalMax < 100 ? limitedTo(led, isNonCritical, natsOf(nonCriticalMax)) : led;
  return { shares: isOfName ? ofName(calm) : ofRest(calm), lineages };
}

function ofName(spoken: readonly Spoken[]): readonly Share[] {
  const most = spoken.every(({ tier }) => tier === 'nuis') ? NUISANCE_NAME_MAX : NAME_MAX;
  return sharesOf(limitedTo(spoken, () => true, most));
}

function ofRest(spoken: readonly Spoken[]): readonly Share[] {
  const critical = limitedTo(spoken, ({ tier }) => tier === 'crit', CRITICAL_MAX);
  const nuisance = limitedTo(critical, ({ tier }) => tier === 'nuis', NUISANCE_MAX);
  return sharesOf(limitedTo(nuisance, isNonCritical, ATTACK_MAX));
}

const isNonCritical = ({ tier }: Spoken): boolean => tier !== 'crit';
const sharesOf = (spoken: readonly Spoken[]): readonly Share[] =>
  spoken.map(({ name, nats }) => ({ name, share: nats }));

/** What one operator says of attacks, then of noise, is worth 50 points together. */
function withinLineages(spoken: readonly Spoken[]): readonly Spoken[] {
  const left = new Map<string, readonly Spoken[]>();
  for (const one of spoken) left.set(one.lineage, [...(left.get(one.lineage) ?? []), one]);
  const limited = new Map<Spoken, Spoken>();
  for (const ofLineage of left.values()) {
    const attack = Math.min(LINEAGE_ATTACK_MAX, sumOf(ofLineage, 'attack'));
    const calm = limitedTo(ofLineage, ({ tier }) => tier === 'attack', attack);
    const done = limitedTo(calm, ({ tier }) => tier === 'nuis', LINEAGE_ATTACK_MAX - attack);
    for (const [index, one] of ofLineage.entries()) limited.set(one, done[index] as Spoken);
  }
  return spoken.map((one) => limited.get(one) as Spoken);
}

const sumOf = (spoken: readonly Spoken[], wanted: Tier): number =>
  spoken.reduce((sum, { tier, nats }) => (tier === wanted ? sum + nats : sum), 0);

function sumsOf(spoken: readonly Spoken[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { lineage, nats } of spoken) sums.set(lineage, (sums.get(lineage) ?? 0) + nats);
  return sums;
}

/** Names that people visit are noticed by several lists, so a second list hardly lowers the share of them. */
function leadingFirst(spoken: readonly Spoken[], lineages: ReadonlyMap<string, number>): readonly Spoken[] {
  const [leader] = [...lineages].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return spoken.map((one) =>
    one.lineage === leader?.[0] ? one : { ...one, nats: MODEL.names.furtherLineage * one.nats },
  );
}

function limitedTo(
  spoken: readonly Spoken[],
  applies: (one: Spoken) => boolean,
  most: number,
): readonly Spoken[] {
  const sum = spoken.reduce((before, one) => (applies(one) ? before + one.nats : before), 0);
  if (sum <= most) return spoken;
  return spoken.map((one) => (applies(one) ? { ...one, nats: (one.nats * most) / sum } : one));
}

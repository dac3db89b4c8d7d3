import { addressUnitsOf, type Corpus } from '#capabilities/corpus/index.ts';
import type { Assessment, Assessor } from '#capabilities/judging/index.ts';
import { foundValue, type LiveContext, type Observations } from '#capabilities/providers/index.ts';
import {
  type Cidr4,
  type Cidr6,
  type Domain,
  hostOf,
  type Indicator,
  type Ip,
  parseIndicator,
} from '#domain/indicator/index.ts';
import { isActive, isThreat } from '#domain/scoring/index.ts';
import { type ListedShare, rateSurroundings } from '#domain/signals/index.ts';
import { RELATED_MAX, type RelatedEntity, type RelatedInfrastructure } from './contract-context.ts';
import { isoOf } from './iso-time.ts';

export type RelatedDeps = {
  readonly corpus: Pick<Corpus, 'accusedWithin'>;
  readonly assess: Assessor;
  /** Absent: no observations, so only lists show neighbours. */
  readonly observations?: Pick<Observations, 'byPivot'>;
};

type Group = { readonly entities: readonly RelatedEntity[]; readonly total: number };
type Relation = Parameters<Observations['byPivot']>[0];
const NONE: Group = { entities: [], total: 0 };
/** Only the first name servers and addresses of a name are searched by: the others lead to the same names. */
const PIVOTS_MAX = 4;
const SUBNET_BITS = { 4: 24, 6: 48 } as const;
const ACCUSED_MAX = 1_000;

/**
 * Finds neighbours that lists accuse, and names that our own lookups have seen with the same name server,
 * registrar, certificate or address. Starts no lookup, and nothing of it is scored.
 */
export async function findRelated(
  deps: RelatedDeps,
  { subject, book, nowMs }: Assessment,
  live: LiveContext,
): Promise<RelatedInfrastructure> {
  const host = hostOf(subject);
  const ip = host?.kind === 'ip' ? host : null;
  const subnet = ip === null ? null : rangeAround(ip, SUBNET_BITS[ip.version]);
  const network = ip === null ? null : rangeOf(book.networkOf(ip)?.prefix ?? null);
  const near = listedIn(deps, subnet);
  const announced = listedIn(deps, network);
  const sameSubnet = neighbours(deps, near.addresses, new Set([ip?.value ?? '']));
  const sameASN = neighbours(deps, announced.addresses, new Set([ip?.value ?? '', ...near.addresses]));
  const [sameRegistrar, sameNameserver, sharedCertificate, resolvedDomains] = await Promise.all([
    observed(deps, 'registrar', registrarOf(live), host),
    observed(deps, 'nameserver', nameServersOf(live), host),
    observed(deps, 'certificate', fingerprintOf(live), host),
    observed(deps, 'resolves', addressesOf(host, live), host),
  ]);
  const groups = { sameSubnet, sameASN, sameRegistrar, sameNameserver, sharedCertificate, resolvedDomains };
  return {
    sameSubnet: [...sameSubnet.entities],
    sameASN: [...sameASN.entities],
    sameRegistrar: [...sameRegistrar.entities],
    sameNameserver: [...sameNameserver.entities],
    sharedCertificate: [...sharedCertificate.entities],
    resolvedDomains: [...resolvedDomains.entities],
    totalRelated: Object.values(groups).reduce((sum, { total }) => sum + total, 0),
    riskAssessment: assessRisk(
      groups,
      network === null ? spaceOf(subnet, near, ip) : spaceOf(network, announced, ip),
    ),
    fetchedAt: isoOf(nowMs),
  };
}

// Neighbours by address

type Accused = ReturnType<Corpus['accusedWithin']>;
const NOTHING_LISTED_THERE: Accused = { addresses: [], total: 0, space: 0 };

const listedIn = ({ corpus }: RelatedDeps, range: Cidr4 | Cidr6 | null): Accused =>
  range === null ? NOTHING_LISTED_THERE : corpus.accusedWithin(range, ACCUSED_MAX);

function neighbours(
  { assess }: RelatedDeps,
  addresses: readonly string[],
  without: ReadonlySet<string>,
): Group {
  const others = addresses.filter((address) => !without.has(address));
  const entities = others.slice(0, RELATED_MAX).flatMap((address) => entityOf(assess, address, null) ?? []);
  return { entities, total: others.length };
}

const rangeAround = ({ value }: Ip, bits: number): Cidr4 | Cidr6 | null => rangeOf(`${value}/${bits}`);

/** Null when the announced range is not a prefix, because the replica reads prefixes only. */
function rangeOf(text: string | null): Cidr4 | Cidr6 | null {
  const parsed = text === null ? null : parseIndicator(text);
  return parsed?.ok === true && parsed.indicator.kind === 'cidr' ? parsed.indicator : null;
}

// Observations of earlier lookups

async function observed(
  { observations, assess }: RelatedDeps,
  relation: Relation,
  pivots: readonly string[],
  host: Ip | Domain | null,
): Promise<Group> {
  if (observations === undefined || pivots.length === 0) return NONE;
  const asked = pivots.slice(0, PIVOTS_MAX);
  const pages = await Promise.all(
    // Two more than are shown, because the subject and its registered name may be among them and are dropped.
    asked.map((pivot) => observations.byPivot(relation, pivot, RELATED_MAX + 2)),
  );
  const newest = new Map<string, number>();
  for (const { rows } of pages)
    for (const { subject, lastSeenMs } of rows)
      if (!isSelf(subject, host)) newest.set(subject, Math.max(lastSeenMs, newest.get(subject) ?? 0));
  const entities = [...newest]
    .sort(([a, aMs], [b, bMs]) => bMs - aMs || (a < b ? -1 : 1))
    .slice(0, RELATED_MAX)
    .flatMap(([subject, atMs]) => entityOf(assess, subject, atMs) ?? []);
  // The largest total and not the sum, because all name servers of one operator serve the same names.
  const most = Math.max(
    ...pages.map(({ rows, total }) => total - rows.filter(({ subject }) => isSelf(subject, host)).length),
  );
  return { entities, total: Math.max(newest.size, most) };
}

/** Whether an observed name is the subject or its registered name, under which a registry knows it. */
const isSelf = (subject: string, host: Ip | Domain | null): boolean =>
  subject === host?.value || (host?.kind === 'domain' && subject === host.registrable);

function entityOf(assess: Assessor, text: string, lastSeenMs: number | null): RelatedEntity | null {
  const parsed = parseIndicator(text);
  if (!parsed.ok || !isHost(parsed.indicator)) return null;
  const { listings, verdict } = assess(parsed.indicator);
  return {
    value: parsed.indicator.value,
    type: parsed.indicator.kind,
    listed: listings.some((listing) => isThreat(listing) && isActive(listing)),
    verdict: verdict.evidence.verdict,
    word: verdict.riskScore.word,
    lastSeen: lastSeenMs === null ? null : isoOf(lastSeenMs),
  };
}

const isHost = (indicator: Indicator): indicator is Ip | Domain =>
  indicator.kind === 'ip' || indicator.kind === 'domain';

// Pivots

function registrarOf({ whois }: LiveContext): readonly string[] {
  const registrar = foundValue(whois)?.registrar ?? null;
  return registrar === null ? [] : [registrar.toLowerCase()];
}

function nameServersOf({ dns, whois }: LiveContext): readonly string[] {
  const names = foundValue(dns)?.ns ?? foundValue(whois)?.nameServers ?? [];
  return names.map((name) => name.toLowerCase().replace(/\.$/, '')).sort();
}

function fingerprintOf({ certificates }: LiveContext): readonly string[] {
  const fingerprint = foundValue(certificates)?.fingerprint ?? null;
  return fingerprint === null ? [] : [fingerprint];
}

function addressesOf(host: Ip | Domain | null, { addresses }: LiveContext): readonly string[] {
  if (host === null) return [];
  if (host.kind === 'ip') return [host.value];
  const found = foundValue(addresses);
  return found === null ? [] : [...found.a, ...found.aaaa];
}

// Risk

type Groups = Readonly<
  Record<'sharedCertificate' | 'resolvedDomains' | 'sameRegistrar' | 'sameNameserver', Group>
> &
  Readonly<Record<string, Group>>;
type Risk = RelatedInfrastructure['riskAssessment'];
/** The announced range around an address, or its subnet where no range is known, and how much of it is listed. */
type Space = ListedShare & { readonly range: string; readonly isPartial: boolean };

function spaceOf(
  range: Cidr4 | Cidr6 | null,
  { addresses, total, space }: Accused,
  ip: Ip | null,
): Space | null {
  if (range === null || ip === null) return null;
  const others = addresses.includes(ip.value) ? total - 1 : total;
  return { range: range.value, listed: others, space, isPartial: space < addressUnitsOf(range) };
}

/** Of names that share a certificate, an address, a name server or a registrar: the share of listed ones that is bad. */
const CROWDED = 0.5;

/**
 * The worst of three: the listed share of the network around the address, names that share its certificate or address,
 * and names that share its name server or registrar. Neighbours by address are found because they are listed, so their
 * own share of listed ones says nothing.
 */
function assessRisk(groups: Groups, space: Space | null): Risk {
  const { sharedCertificate, resolvedDomains, sameRegistrar, sameNameserver } = groups;
  if (Object.values(groups).every(({ entities }) => entities.length === 0))
    return { level: 'unknown', reason: 'Nothing related to it is known here.' };
  const close = riskOfNames([sharedCertificate, resolvedDomains], 'that share its certificate or address');
  const distant = riskOfNames([sameRegistrar, sameNameserver], 'that share its name server or registrar');
  const around = space === null ? null : riskOfSpace(space);
  const found = [close, distant, around].filter((risk) => risk !== null);
  return found.sort((a, b) => LEVELS.indexOf(b.level) - LEVELS.indexOf(a.level))[0] ?? NOTHING_LISTED;
}

const LEVELS: readonly Risk['level'][] = ['unknown', 'low', 'medium', 'high'];
const NOTHING_LISTED: Risk = {
  level: 'low',
  reason: 'Nothing related to it is listed, which is not proof of good.',
};

function riskOfNames(groups: readonly Group[], what: string): Risk | null {
  const names = groups.flatMap(({ entities }) => entities);
  const listed = names.filter((entity) => entity.listed).length;
  if (names.length === 0) return null;
  if (listed === 0)
    return { level: 'low', reason: `None of ${names.length} ${what} is listed, which is not proof of good.` };
  return {
    level: listed / names.length >= CROWDED ? 'high' : 'medium',
    reason: `${listed} of ${names.length} ${what} are listed.`,
  };
}

function riskOfSpace(space: Space): Risk {
  const { listed, space: units, range, isPartial } = space;
  const what = range.includes(':') ? '/64 networks' : 'addresses';
  const share = `${((100 * listed) / units).toFixed(2)} %`;
  return {
    level: rateSurroundings(space),
    reason: isPartial
      ? `${share} of the first ${units.toLocaleString('en')} ${what} of ${range} are listed besides it.`
      : `${listed.toLocaleString('en')} of ${units.toLocaleString('en')} ${what} of ${range} are listed besides it (${share}).`,
  };
}

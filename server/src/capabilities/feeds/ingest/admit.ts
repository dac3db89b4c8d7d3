import type { ListedRow, Source } from '#capabilities/corpus/index.ts';
import type { Entry, EntryKind } from '#capabilities/lists/index.ts';
import {
  carriedIpv4,
  containsBogon,
  type Hash,
  isBogon,
  isPlatformRoot,
  type Listable,
  type ParseResult,
  parseAsn,
  parseCrypto,
  parseIndicator,
  parsePhone,
} from '#domain/indicator/index.ts';
import { isCanary } from '../canaries/canaries.ts';
import { CANARY_VALUES } from '../canaries/canary-values.ts';
import { isReportLink } from './report-links.ts';

/** Reasons not to list a valid indicator; constant texts, so that a run can count them. */
export const REFUSALS = {
  bogon: 'Private, reserved or otherwise special-purpose addresses are never listed.',
  holdsBogon:
    'The range holds private or otherwise special-purpose addresses, so it names more than one owner.',
  platform: 'This is a name under which strangers get names; a threat listing of it would hit them all.',
  tooWide: 'A range wider than /8 (IPv4) or /16 (IPv6) is a mistake, not an opinion.',
  otherKind: 'This list does not hold values of this kind, so the entry is a mistake of its publisher.',
  reportLink: 'A link of the report itself: its publisher is no indicator.',
  canary: 'Known-good, so it was put aside: no list may call it a threat.',
} as const;

export type AdmitRules = {
  readonly threatClass: Source['threatClass'];
  /** Only a popularity list has ranks; they are stored in place of a date. */
  readonly guard: Source['guard'];
  readonly canaries: boolean;
  readonly rebaseMs: number;
  /** The latest possible sighting, before `rebaseMs` is added; later dates are mistakes of the publisher. */
  readonly latestMs: number;
  /** First sightings by value, with `rebaseMs` already added. */
  readonly sightings?: ReadonlyMap<string, number>;
  /** The kinds that the list holds; empty or absent: any. A range is an `ip`. */
  readonly entityTypes?: readonly string[];
  /** The list collects reports, whose texts link to their own publishers. */
  readonly isReport?: boolean;
};

export type Refusal = {
  readonly ok: false;
  readonly kind: 'rejected' | 'unsupported' | 'disposed';
  readonly reason: string;
  /** Set when the list does not declare this kind of value. */
  readonly strange?: Listable['kind'];
};
export type Admitted = { readonly ok: true; readonly indicator: Listable };

const IPV4_BITS_MIN = 8;
const IPV6_BITS_MIN = 16;
const refusal = (kind: Refusal['kind'], reason: string): Refusal => ({ ok: false, kind, reason });
const REPORT_LINK = refusal('rejected', REFUSALS.reportLink);
const [HOLDS_BOGON, TOO_WIDE, PLATFORM, CANARY, BOGON_ACCUSED, BOGON_DESCRIBED] = [
  refusal('rejected', REFUSALS.holdsBogon),
  refusal('rejected', REFUSALS.tooWide),
  refusal('rejected', REFUSALS.platform),
  refusal('disposed', REFUSALS.canary),
  refusal('rejected', REFUSALS.bogon),
  // A list of bogons is correct but adds nothing, because an address itself shows that it is special-purpose.
  refusal('unsupported', REFUSALS.bogon),
];

/** A cheap hash that rules out nearly all values as canaries; looking up each in the set took 1 s per million. */
const signOf = (value: string): number =>
  (value.length * 31 +
    value.charCodeAt(value.length - 4) * 7 +
    value.charCodeAt(value.length - 5) * 131 +
    value.charCodeAt(value.length - 6) * 1_031 +
    value.charCodeAt(0) * 4_099) &
  0xffff;
const CANARY_SIGNS = new Uint8Array(0x1_0000);
for (const value of CANARY_VALUES) CANARY_SIGNS[signOf(value)] = 1;

/** Kinds that are read only where a list declares them. */
const PARSERS: Readonly<Record<Exclude<EntryKind, 'any'>, (text: string) => ParseResult<Listable>>> = {
  asn: parseAsn,
  crypto: parseCrypto,
  phone: parsePhone,
};

/** The indicator of an entry, or why it is not listed. */
export function admit(text: string, kind: EntryKind, rules: AdmitRules): Admitted | Refusal {
  const parsed = kind === 'any' ? parseIndicator(text) : PARSERS[kind](text);
  if (!parsed.ok) return refusal('rejected', parsed.reason);
  const admitted = unwrapped(parsed.indicator);
  const found = admitted === parsed.indicator ? parsed : { ok: true as const, indicator: admitted };
  return refusalOf(admitted, rules) ?? found;
}

/** Checks judge the IPv4 address inside an address of NAT64, 6to4 or Teredo, so a list of such addresses names it too. */
function unwrapped(indicator: Listable): Listable {
  if (indicator.kind !== 'ip' || indicator.version === 4) return indicator;
  return carriedIpv4(indicator)?.ip ?? indicator;
}

function refusalOf(indicator: Listable, rules: AdmitRules): Refusal | null {
  const isThreat = rules.threatClass === 'threat';
  const strange = strangeKind(indicator, rules);
  if (strange !== null) return { ...refusal('rejected', REFUSALS.otherKind), strange };
  if (rules.isReport === true && isThreat && isReportLink(indicator)) return REPORT_LINK;
  switch (indicator.kind) {
    case 'ip':
      if (isBogon(indicator)) return isThreat ? BOGON_ACCUSED : BOGON_DESCRIBED;
      break;
    case 'cidr':
      if (indicator.bits < (indicator.version === 4 ? IPV4_BITS_MIN : IPV6_BITS_MIN)) return TOO_WIDE;
      if (isBogon(indicator)) return isThreat ? BOGON_ACCUSED : BOGON_DESCRIBED;
      if (containsBogon(indicator)) return HOLDS_BOGON;
      break;
    case 'url':
      if (indicator.host.kind === 'ip' && isBogon(indicator.host)) return BOGON_ACCUSED;
      break;
    case 'domain':
      // A list that only describes may still label such a name (dynamic DNS, a shortener); shared parents never match.
      if (isThreat && (indicator.registrable === null || isPlatformRoot(indicator.value))) return PLATFORM;
      break;
    default:
      break;
  }
  return isThreat && rules.canaries && CANARY_SIGNS[signOf(indicator.value)] === 1 && isCanary(indicator)
    ? CANARY
    : null;
}

/** The kind of a value that is none of the kinds the list declares; null when it is, or when none are declared. */
function strangeKind({ kind }: Listable, { entityTypes = [] }: AdmitRules): Listable['kind'] | null {
  if (entityTypes.length === 0) return null;
  const type = kind === 'cidr' ? 'ip' : kind;
  return entityTypes.includes(type) ? null : type;
}

export type Extras = Omit<ListedRow, 'indicator'>;

const CONFIDENCE_MAX = 100;
/** A higher rank is dropped; up to this limit a replica cannot mistake a rank for a date. */
const RANK_MAX = 99_999_999;
const REFERENCE_MAX = 1_024;
const FAMILY_MAX = 80;
/** 1 January 1990: an earlier date is a zero or a two-digit year, not a sighting. */
const EARLIEST_MS = 631_152_000_000;

/** Null when the entry has nothing but its value, as most do. */
export function extrasOf(entry: Entry, family: string | undefined, rules: AdmitRules): Extras | null {
  const named = entry.family ?? family;
  if (
    named === undefined &&
    entry.firstSeenMs === undefined &&
    entry.lastSeenMs === undefined &&
    entry.confidence === undefined &&
    entry.reference === undefined &&
    entry.rank === undefined &&
    entry.siblings === undefined
  )
    return null;
  const first = dateOf(entry.firstSeenMs, rules);
  const last = dateOf(entry.lastSeenMs, rules);
  const isRanked = rules.guard === 'popularity';
  const extras: Writable = {};
  // First and last sighting in the wrong columns still give the span.
  if (first !== undefined) extras.firstSeenMs = last === undefined ? first : Math.min(first, last);
  if (last !== undefined && !isRanked) extras.lastSeenMs = first === undefined ? last : Math.max(first, last);
  const confidence = wholeIn(entry.confidence, 0, CONFIDENCE_MAX);
  if (confidence !== undefined) extras.confidence = confidence;
  const reference = textOf(entry.reference, REFERENCE_MAX);
  if (reference !== undefined) extras.reference = reference;
  const malware = textOf(named, FAMILY_MAX);
  if (malware !== undefined) extras.family = malware;
  const rank = isRanked ? wholeIn(entry.rank, 1, RANK_MAX) : undefined;
  if (rank !== undefined) extras.rank = rank;
  const siblings = digestsOf(entry);
  if (siblings !== undefined) extras.siblings = siblings;
  for (const _ in extras) return extras;
  return null;
}

/** Adds the recorded first sighting of the value, unless the source itself dates the entry. */
export function withSighting(extras: Extras | null, value: string, { sightings }: AdmitRules): Extras | null {
  const sightedMs = sightings?.get(value);
  if (sightedMs === undefined || extras?.firstSeenMs !== undefined || extras?.lastSeenMs !== undefined)
    return extras;
  return { ...extras, sightedMs };
}

type Writable = { -readonly [name in keyof Extras]: Extras[name] };

function dateOf(ms: number | undefined, { rebaseMs, latestMs }: AdmitRules): number | undefined {
  if (ms === undefined || !Number.isFinite(ms) || ms < EARLIEST_MS) return undefined;
  return Math.min(Math.trunc(ms), latestMs) + rebaseMs;
}

function wholeIn(value: number | undefined, min: number, max: number): number | undefined {
  if (value === undefined || !Number.isFinite(value)) return undefined;
  const whole = Math.round(value);
  if (whole < min) return min === 0 ? 0 : undefined;
  return whole > max ? (min === 0 ? max : undefined) : whole;
}

function textOf(text: string | undefined, charsMax: number): string | undefined {
  if (text === undefined) return undefined;
  const clean = text.includes('\0') ? text.replaceAll('\0', '').trim() : text.trim();
  if (clean === '') return undefined;
  return clean.length > charsMax ? clean.slice(0, charsMax) : clean;
}

/** A digest of an unsupported kind (SHA-512, ssdeep) links nothing, but the entry itself stays. */
function digestsOf({ text, siblings }: Entry): readonly Hash[] | undefined {
  if (siblings === undefined) return undefined;
  const own = text.trim().toLowerCase();
  const digests: Hash[] = [];
  for (const sibling of siblings) {
    const parsed = parseIndicator(sibling);
    if (!parsed.ok || parsed.indicator.kind !== 'hash') continue;
    const digest = parsed.indicator;
    if (digest.value !== own && !digests.some(({ value }) => value === digest.value)) digests.push(digest);
  }
  return digests.length === 0 ? undefined : digests;
}

import type { IndicatorContext } from '#capabilities/corpus/index.ts';
import type { NetworkBook } from '#capabilities/enrichment/index.ts';
import { hostOf, type Indicator } from '#domain/indicator/index.ts';
import { isSharedParent, NO_SIGNALS, type SignalFacts } from '#domain/scoring/index.ts';
import {
  BRAND_LOOKS,
  brandSignalOf,
  crowdingOf,
  EMPTY_NAMES,
  imitatedBy,
  indexAddresses,
  nameSignalOf,
  neighboursOf,
  type PlatformHeat,
  partsOf,
  tenantSignalOf,
} from '#domain/signals/index.ts';
import { modelTwoSignals } from './model-two-signals.ts';
import type { SignalTables } from './signal-tables.ts';

/** The signals of an indicator; null: it has none. */
type SignalsOf = (
  subject: Indicator,
  context: IndicatorContext,
  networks: Pick<NetworkBook, 'networkOf'>,
) => SignalFacts | null;

/** One version of the signals: needs no network access, answers in a few microseconds. */
export type SignalBook = {
  /** Eight hexadecimal digits of the content; zeros without a training. Part of every snapshotId. */
  readonly version: string;
  readonly signalsOf: SignalsOf;
  /** The signals by the rules of model 2, to replay a moment when these were in force. */
  readonly ofModelTwo: SignalsOf;
};

const NO_TABLES: SignalTables = {
  listed: indexAddresses(new Uint32Array(), new Uint8Array()),
  crowdedSystems: new Set(),
  names: EMPTY_NAMES,
  looks: new Map(),
  platforms: new Map(),
};

/** Without a training brands and the texts of tenants still raise signals, because these rules read no list. */
export const NO_SIGNAL_BOOK: SignalBook = signalBookOf('00000000', NO_TABLES);

export function signalBookOf(version: string, tables: SignalTables): SignalBook {
  return {
    version,
    signalsOf: (subject, context, networks) => {
      // Guarded and reserved values have no signals; the score checks this again.
      if (context.guards.length > 0 || context.isReserved) return null;
      if (subject.kind === 'ip') return ofAddress(tables, subject, context, networks);
      const host = hostOf(subject);
      const hasName = (subject.kind === 'domain' || subject.kind === 'url') && host?.kind === 'domain';
      return hasName && !context.isTenantSuffix ? ofName(tables, host, context) : null;
    },
    ofModelTwo: (subject, context, networks) => modelTwoSignals(tables, subject, context, networks),
  };
}

type Address = Extract<Indicator, { kind: 'ip' }>;
type Name = Extract<Indicator, { kind: 'domain' }>;

/** IPv6 is left out: lists hold too few addresses for a density (scoring finding 6). */
function ofAddress(
  { listed, crowdedSystems }: SignalTables,
  ip: Address,
  { labels, inheritedGuards }: IndicatorContext,
  { networkOf }: Pick<NetworkBook, 'networkOf'>,
): SignalFacts | null {
  if (ip.version !== 4 || labels.length > 0 || inheritedGuards.length > 0) return null;
  const isCrowded = (): boolean => crowdedSystems.has(networkOf(ip)?.asn ?? 0);
  const neighbourhood = crowdingOf(neighboursOf(listed, ip.address), isCrowded);
  return neighbourhood === null ? null : { ...NO_SIGNALS, neighbourhood };
}

const COLD: PlatformHeat = { named: 0, size: 0 };

function ofName(
  { names, looks, platforms }: SignalTables,
  { value: host, registrable }: Name,
  context: IndicatorContext,
): SignalFacts | null {
  if (!context.inheritedGuards.every((guard) => isOfPlatform(guard, context))) return null;
  const isFree = context.inheritedGuards.length === 0;
  const parts = partsOf(host, context.platform, registrable);
  const tenant = parts?.isTenant === true ? { platform: parts.suffix, text: parts.text } : null;
  const signals = {
    neighbourhood: null,
    // The scorecard judges tenants, and the table of names own domains.
    name: isFree && tenant === null ? nameSignalOf(names, parts) : null,
    imitates: isFree ? (imitatedBy(host, looks) ?? imitatedBy(host, BRAND_LOOKS)) : null,
    tenant:
      tenant === null ? null : tenantSignalOf({ host, ...tenant }, platforms.get(tenant.platform) ?? COLD),
    brand: brandSignalOf({ host, registrable, tenant }),
  };
  return Object.values(signals).every((signal) => signal === null) ? null : signals;
}

/** The popularity of a platform is no word for its tenants. */
const isOfPlatform = (
  { guard, matched }: IndicatorContext['inheritedGuards'][number],
  context: IndicatorContext,
): boolean => (guard === 'popularity' || guard === 'platform') && isSharedParent(matched, context);

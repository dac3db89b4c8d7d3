import type { IndicatorContext } from '#capabilities/corpus/index.ts';
import type { NetworkBook } from '#capabilities/enrichment/index.ts';
import { hostOf, type Indicator, platformSuffix } from '#domain/indicator/index.ts';
import { NO_SIGNALS, type SignalFacts } from '#domain/scoring/index.ts';
import { crowdingOf, imitatedBy, nameSignalOf, neighboursOf, partsOf } from '#domain/signals/index.ts';
import type { SignalTables } from './signal-tables.ts';

/**
 * The signals of model 2: neighbours that are listed now, the table of names for tenants too, and imitations of the trained
 * names alone. Needed until the last moment of model 2 is 91 days ago.
 */
export function modelTwoSignals(
  { listed, crowdedSystems, names, looks }: SignalTables,
  subject: Indicator,
  context: IndicatorContext,
  { networkOf }: Pick<NetworkBook, 'networkOf'>,
): SignalFacts | null {
  if (context.guards.length > 0 || context.inheritedGuards.length > 0 || context.isReserved) return null;
  if (subject.kind === 'ip') {
    if (subject.version !== 4 || context.labels.length > 0) return null;
    const { now } = neighboursOf(listed, subject.address);
    const isCrowded = (): boolean => crowdedSystems.has(networkOf(subject)?.asn ?? 0);
    const neighbourhood = crowdingOf({ recent: now, now, commandServers: 0 }, isCrowded);
    return neighbourhood === null ? null : { ...NO_SIGNALS, neighbourhood };
  }
  const host = hostOf(subject);
  if ((subject.kind !== 'domain' && subject.kind !== 'url') || host?.kind !== 'domain') return null;
  if (context.isTenantSuffix) return null;
  const name = nameSignalOf(names, partsOf(host.value, platformSuffix(host.value), host.registrable));
  const imitates = imitatedBy(host.value, looks);
  return name === null && imitates === null ? null : { ...NO_SIGNALS, name, imitates };
}

import type { Crowding, NameSignal } from '../signals/index.ts';
import type { GuardFactor } from './attenuation.ts';
import type { Case } from './facts.ts';
import { isPlatform } from './match-factor.ts';
import { MODEL } from './model.ts';
import { isSharedParent } from './shared-parent.ts';
import type { SignalFacts, SignalName } from './signal-facts.ts';
import { brandSentence, tenantSentence } from './signal-wording.ts';
import { isVouchedFor } from './vouchers.ts';

export type Step = { readonly name: SignalName; readonly to: number };

/**
 * The score after the signal, given the points of the listings. Without such points it counts its fixed points; with them
 * both add up in nats. Of the signals of a name the strongest counts, because all read the same letters. More points of
 * listings never lower the result.
 */
export function signalSteps(of: Case, guards: readonly GuardFactor[], listed: number): readonly Step[] {
  const strongest = strongestOf(weightsOf(of, guards));
  if (strongest === null) return [];
  const { name, alone, nats } = strongest;
  return [{ name, to: Math.max(listed, alone, listed > 0 ? joined(listed, nats) : 0) }];
}

const joined = (points: number, nats: number): number =>
  Math.round(100 * (1 - Math.exp(Math.log(1 - points / 100) - nats)));

type Weight = { readonly name: SignalName; readonly alone: number; readonly nats: number };

/** A signal with more points alone never has fewer nats (tested), so one order serves both. */
function strongestOf(weights: readonly Weight[]): Weight | null {
  let best: Weight | null = null;
  for (const weight of weights)
    if (
      best === null ||
      weight.alone > best.alone ||
      (weight.alone === best.alone && weight.nats > best.nats)
    )
      best = weight;
  return best;
}

function weightsOf(of: Case, guards: readonly GuardFactor[]): readonly Weight[] {
  const { signals } = of;
  if (signals === undefined || signals === null || !mayWarn(of, guards)) return [];
  const isFree = guards.length === 0;
  if (of.subject.kind === 'ip') {
    const { neighbourhood } = signals;
    return neighbourhood === null || !isFree
      ? []
      : [{ name: 'neighbourhood', ...MODEL.signals[neighbourhood] }];
  }
  if (of.subject.kind !== 'domain' && of.subject.kind !== 'url') return [];
  return weightsOfName(signals, isFree);
}

function weightsOfName({ name, imitates, tenant, brand }: SignalFacts, isFree: boolean): readonly Weight[] {
  const { brandDomain, ...weights } = MODEL.signals;
  const found: Weight[] = [];
  if (isFree && name !== null) found.push({ name: 'name', ...weights.name });
  if (isFree && imitates !== null) found.push({ name: 'imitates', ...weights.imitates });
  if (tenant !== null) found.push({ name: 'tenant', ...weights.tenant });
  if (brand !== null)
    found.push({ name: 'brand', ...(brand.technique === 'domainLeft' ? brandDomain : weights.brand) });
  return found;
}

/**
 * A signal suspects no subject for which, or for whose parent, a list speaks, and no reserved name or platform. The
 * popularity of a platform is no word for its tenants.
 */
const mayWarn = (of: Case, guards: readonly GuardFactor[]): boolean =>
  guards.every((guard) => isOfPlatform(guard, of)) &&
  !of.context.isReserved &&
  !of.context.isTenantSuffix &&
  !isPlatform(of.context) &&
  !isVouchedFor(of, guards);

const isOfPlatform = ({ name, scope, matched }: GuardFactor, { context }: Case): boolean =>
  name === 'popular' && scope === 'parent' && isSharedParent(matched, context);

/** The sentence of a signal; it shows the words that weighed and never the whole value. */
export function signalSentence(signal: SignalName, { signals, subject }: Case, points: string): string {
  switch (signal) {
    case 'neighbourhood':
      return `${CROWDED[signals?.neighbourhood ?? 'some']}, which adds ${points}.`;
    case 'name':
      return `${subject.kind === 'url' ? 'The name of its host' : 'Its name'} resembles names that phishing lists added lately${shown(signals?.name ?? null)}, which adds ${points}.`;
    case 'imitates':
      return `${subject.kind === 'url' ? 'Its host' : 'It'} is written with foreign letters and reads as ${signals?.imitates ?? 'a popular name'}, which adds ${points}.`;
    case 'tenant':
      return `${tenantSentence(signals?.tenant ?? null)}, which adds ${points}.`;
    case 'brand':
      return `${brandSentence(signals?.brand ?? null)}, which adds ${points}.`;
  }
}

const CROWDED: Readonly<Record<Crowding, string>> = {
  some: 'Other addresses of its network were listed in the last 90 days',
  dense: 'Many addresses around it were listed in the last 90 days',
  veryDense: 'Its network had very many listed addresses, or several command servers, in the last 90 days',
};

function shown(name: NameSignal | null): string {
  if (name === null || name.words.length === 0) return '';
  return `, foremost by ${name.words.map((word) => `"${word}"`).join(' and ')} under .${name.suffix}`;
}

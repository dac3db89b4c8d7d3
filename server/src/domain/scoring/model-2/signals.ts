import type { GuardFactor } from '../attenuation.ts';
import type { Case } from '../facts.ts';
import { isPlatform } from '../match-factor.ts';
import { MODEL } from '../model.ts';
import type { SignalName } from '../signal-facts.ts';
import { isVouchedFor } from '../vouchers.ts';

export type Step = { readonly name: SignalName; readonly to: number };

/**
 * As model 2 had it: the score after each signal, given the points of the listings. Without such points a signal counts its fixed points;
 * with them both add up in nats. Of the two signals of a name the stronger counts, because both read the same letters.
 * More points of listings never lower the result.
 */
export function signalSteps(of: Case, guards: readonly GuardFactor[], listed: number): readonly Step[] {
  const steps: Step[] = [];
  let to = listed;
  for (const [name, { alone, nats }] of weightsOf(of, guards)) {
    to = Math.max(to, alone, listed > 0 ? joined(listed, nats) : 0);
    steps.push({ name, to });
  }
  return steps;
}

const joined = (points: number, nats: number): number =>
  Math.round(100 * (1 - Math.exp(Math.log(1 - points / 100) - nats)));

type Weight = { readonly alone: number; readonly nats: number };

function weightsOf(of: Case, guards: readonly GuardFactor[]): readonly (readonly [SignalName, Weight])[] {
  const { signals } = of;
  if (signals === undefined || signals === null || !mayWarn(of, guards)) return [];
  const weights: [SignalName, Weight][] = [];
  const { neighbourhood, name, imitates } = signals;
  if (of.subject.kind === 'ip') {
    if (neighbourhood !== null) weights.push(['neighbourhood', MODEL.signals[neighbourhood]]);
    return weights;
  }
  if (of.subject.kind !== 'domain' && of.subject.kind !== 'url') return weights;
  if (name !== null) weights.push(['name', MODEL.signals.name]);
  if (imitates !== null) weights.push(['imitates', MODEL.signals.imitates]);
  return weights;
}

/** A signal suspects no subject for which, or for whose parent, a list speaks, and no reserved name or platform. */
const mayWarn = (of: Case, guards: readonly GuardFactor[]): boolean =>
  guards.length === 0 &&
  !of.context.isReserved &&
  !of.context.isTenantSuffix &&
  !isPlatform(of.context) &&
  !isVouchedFor(of, guards);

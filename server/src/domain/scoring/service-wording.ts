import type { Case } from './facts.ts';
import type { Findings } from './findings.ts';
import { popularityVouches } from './popularity.ts';

/** Names the service and its operator. Without a full stop, because more text may follow. */
export function serviceSentence({ context, subject }: Case): string {
  const { name, operator } = context.service ?? { name: 'a service', operator: 'its operator' };
  return `${subject.kind === 'url' ? 'Its host' : 'It'} belongs to ${name}, a service of ${operator}`;
}

/** What is known of the service, unless an adjustment of the score says it already. */
export function serviceReasons({ of, scored }: Findings): readonly string[] {
  const { service = null } = of.context;
  if (service === null) return [];
  if (!service.vouches)
    return [`${serviceSentence(of)}: strangers act through it, so its name vouches for none of them.`];
  const isTold = scored.adjustments.some(({ name }) => name === 'named_service');
  return isTold ? [] : [`${serviceSentence(of)}.`];
}

/** Says that only one kind of list counts the name as popular, which is not enough to vouch for it (O53). */
export function onlyPopularReason({ context, subject }: Case): readonly string[] {
  const kinds = context.popularKinds ?? [];
  if (subject.kind === 'url' || kinds.length === 0 || popularityVouches(kinds)) return [];
  return [
    kinds[0] === 'queries'
      ? 'Only lists of name queries count it as popular, and beacons of malware are queries too: that does not vouch for it.'
      : 'Only one kind of list counts it as popular, and two are needed to vouch for it.',
  ];
}

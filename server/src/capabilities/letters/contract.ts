import { z } from 'zod';
import { ONE_LINE } from '#domain/text/one-line.ts';

/** No line breaks or other control characters: a fact is a piece of a sentence, never a line of its own. */
const fact = (max: number) => z.string().min(1).max(max).regex(ONE_LINE, 'expected text without line breaks');
const Link = z.url({ protocol: /^https?$/ }).max(2_048);
const When = fact(64);
/** The subject may name the organization. Absent in emails of earlier releases, whose subjects then name none. */
const isEstablished = z.boolean().optional();

/** The facts of each kind of letter. Adding a kind is adding a line here and its words in `word-letter.ts`. */
export const FACTS = {
  'verify-address': z.strictObject({ link: Link }),
  'address-taken': z.strictObject({}),
  'reset-password': z.strictObject({ link: Link }),
  'password-changed': z.strictObject({ when: When, address: fact(64) }),
  'claim-keys': z.strictObject({ link: Link }),
  invitation: z.strictObject({
    organization: fact(100),
    isEstablished,
    inviter: fact(254),
    role: fact(20),
    link: Link,
  }),
  'role-changed': z.strictObject({ organization: fact(100), isEstablished, role: fact(20), when: When }),
  'membership-ended': z.strictObject({ organization: fact(100), isEstablished, when: When }),
  'deletion-planned': z.strictObject({ what: fact(120), until: When }),
  'factor-changed': z.strictObject({ what: fact(120), when: When }),
  'quota-reached': z.strictObject({
    plan: fact(20),
    /** `checks` or `scans`. */
    meter: fact(20),
    share: fact(10),
    used: fact(20),
    limit: fact(20),
    resetsAt: When,
  }),
  'alerts-raised': z.strictObject({
    count: fact(20),
    /** The highest severity among the raised alerts. */
    worst: fact(20),
    lines: z.array(fact(300)).min(1).max(20),
    /** How many alerts are not shown in `lines`. */
    more: fact(20),
    link: Link,
  }),
  'confirm-subscription': z.strictObject({ link: Link }),
  'subscription-confirmed': z.strictObject({}),
  'sso-break-glass': z.strictObject({ who: fact(254), when: When }),
  'form-received': z.strictObject({ form: fact(20), id: fact(64) }),
  'webhook-disabled': z.strictObject({ host: fact(260), id: fact(64), reason: fact(120), when: When }),
  'webhooks-over-plan': z.strictObject({ disabled: fact(20), allowed: fact(20), when: When }),
  'mail-test': z.strictObject({}),
} as const;

export type LetterKind = keyof typeof FACTS;
export type FactsOf<K extends LetterKind> = z.output<(typeof FACTS)[K]>;

/** A kind with its facts. */
export type LetterContent = {
  [K in LetterKind]: { readonly kind: K; readonly facts: FactsOf<K> };
}[LetterKind];

const isLetterKind = (text: string): text is LetterKind => Object.hasOwn(FACTS, text);

/** Null where the kind is unknown or the facts do not fit it. */
export function readContent(kind: string, facts: unknown): LetterContent | null {
  if (!isLetterKind(kind)) return null;
  const parsed = FACTS[kind].safeParse(facts);
  return parsed.success ? ({ kind, facts: parsed.data } as LetterContent) : null;
}

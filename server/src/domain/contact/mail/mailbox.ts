import type { Email } from '#domain/indicator/index.ts';

export type Mailbox = {
  readonly localPart: string;
  /** The mailbox belongs to a function and not to a person: the names of RFC 2142 and others in common use. */
  readonly isRoleAccount: boolean;
  /** The part after the plus (RFC 5233); null without one. */
  readonly subaddress: string | null;
};

const ROLES: ReadonlySet<string> = new Set(
  (
    'abuse accounting accounts admin administrator billing careers compliance contact customerservice dns enquiries ' +
    'finance help helpdesk hostmaster hr info investors it jobs legal mailer-daemon marketing media news newsletter ' +
    'no-reply noc noreply office orders payments postmaster press privacy purchasing reception recruiting root sales ' +
    'security service shop spam staff subscribe support sysadmin team tech unsubscribe usenet uucp webmaster www'
  ).split(' '),
);

export function readMailbox({ value, domain }: Email): Mailbox {
  const localPart = value.slice(0, -domain.value.length - 1);
  const plus = localPart.indexOf('+');
  const base = plus > 0 ? localPart.slice(0, plus) : localPart;
  return {
    localPart,
    isRoleAccount: ROLES.has(base),
    subaddress: plus > 0 && plus < localPart.length - 1 ? localPart.slice(plus + 1) : null,
  };
}

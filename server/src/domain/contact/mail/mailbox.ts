import type { Email } from '#domain/indicator/index.ts';

/** What an address says by itself. */
export type Mailbox = {
  readonly localPart: string;
  /** Stands for a function, not a person: RFC 2142 and what companies add to it. */
  readonly isRoleAccount: boolean;
  /** What follows the plus (RFC 5233); null without one. */
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

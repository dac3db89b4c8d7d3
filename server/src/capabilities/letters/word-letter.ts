import { breakLinks } from '#domain/text/break-links.ts';
import type { FactsOf, LetterContent, LetterKind } from './contract.ts';

/** What a letter says, before it becomes text and HTML. */
export type Wording = {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  readonly action?: { readonly label: string; readonly link: string };
  /** Why the person gets this letter. */
  readonly why: string;
  /** What the reader does when another person caused the letter. */
  readonly otherwise: string;
};

type Words = { readonly [K in LetterKind]: (facts: FactsOf<K>) => Wording };

const NOTHING_HAPPENS = 'If this was not you, ignore this letter: nothing happens without the link.';
const SECURE_ACCOUNT =
  'If this was not you, reset your password now, end all sessions in the settings of your account, and rotate your API keys.';

const BRACKETS = 'Names are written with brackets, so that no program makes a link of them.';

/** A name that a caller chose, set apart from our own words. */
const quoted = (name: string): string => `"${name.replaceAll('"', "'")}"`;

const WORDS: Words = {
  'verify-address': ({ link }) => ({
    subject: 'Confirm your address',
    paragraphs: ['Confirm that this address is yours to finish your registration.'],
    action: { label: 'Confirm the address', link },
    why: 'Somebody registered an account with this address.',
    otherwise: NOTHING_HAPPENS,
  }),
  'address-taken': () => ({
    subject: 'You already have an account',
    paragraphs: [
      'Somebody tried to register an account with this address. It already has one, so nothing was changed.',
      'Sign in with your password. If you forgot it, ask for a new one on the sign-in page.',
    ],
    why: 'This address belongs to an account.',
    otherwise:
      'If this was not you, you need not do anything: the person learned nothing about your account.',
  }),
  'reset-password': ({ link }) => ({
    subject: 'Choose a new password',
    paragraphs: ['Open the link to choose a new password. It works once and for a short time.'],
    action: { label: 'Choose a new password', link },
    why: 'Somebody asked for a new password for the account of this address.',
    otherwise: 'If this was not you, ignore this letter: your password stays as it is.',
  }),
  'password-changed': ({ when, address }) => ({
    subject: 'Your password was changed',
    paragraphs: [`The password of your account was changed at ${when}, from the address ${address}.`],
    why: 'We tell you about every change of your password.',
    otherwise: SECURE_ACCOUNT,
  }),
  'claim-keys': ({ link }) => ({
    subject: 'Claim your API keys',
    paragraphs: [
      'An API key pair was made for this address. Open the link to set a password. The pair is replaced by a new one then, and your monthly checks are raised to those of the FREE plan.',
    ],
    action: { label: 'Claim the keys', link },
    why: 'Somebody asked for an API key with this address.',
    otherwise:
      'If this was not you, ignore this letter. To take the key from that person, open the link and set a password.',
  }),
  invitation: ({ organization, isEstablished, inviter, role, link }) => ({
    subject: isEstablished === true ? `Invitation to ${organization}` : 'Invitation to an organization',
    paragraphs: [
      `${inviter} invites you to join the organization ${quoted(organization)} with the role ${role}.`,
      BRACKETS,
    ],
    action: { label: 'Look at the invitation', link },
    why: `${inviter} entered this address in the settings of the organization.`,
    otherwise: 'If you do not know them, ignore this letter: you join only when you accept.',
  }),
  'role-changed': ({ organization, isEstablished, role, when }) => ({
    subject: `Your role in ${isEstablished === true ? organization : 'an organization'} changed`,
    paragraphs: [`You are ${role} of the organization ${quoted(organization)} since ${when}.`],
    why: 'You belong to this organization.',
    otherwise: 'If you do not expect this, ask an owner of the organization.',
  }),
  'membership-ended': ({ organization, isEstablished, when }) => ({
    subject: `You do not belong to ${isEstablished === true ? organization : 'an organization'} any more`,
    paragraphs: [
      `You were removed from the organization ${quoted(organization)} at ${when}. Your keys and sessions of it have ended.`,
    ],
    why: 'You belonged to this organization.',
    otherwise: 'If you do not expect this, ask an owner of the organization.',
  }),
  'deletion-planned': ({ what, until }) => ({
    subject: 'Deletion scheduled',
    paragraphs: [
      `${what} was deleted. Keys and sessions have ended; everything else is erased after ${until}.`,
      'An organization is restored by one of its owners, an account by the operator of this service.',
    ],
    why: 'You own what was deleted.',
    otherwise: 'If this was not you, have it restored before that date, and set a new password.',
  }),
  'factor-changed': ({ what, when }) => ({
    subject: 'A second factor of your account changed',
    paragraphs: [`${what}, at ${when}.`],
    why: 'We tell you about every change of how you sign in.',
    otherwise: SECURE_ACCOUNT,
  }),
  'quota-reached': ({ plan, meter, share, used, limit, resetsAt }) => ({
    subject: `You have used ${share} of your monthly ${meter}`,
    paragraphs: [
      `${used} of the ${limit} ${meter} of your ${plan} plan are used. The count starts again at ${resetsAt}.`,
      `Further ${meter} beyond the limit are refused with 429 until then.`,
    ],
    why: 'You are responsible for this account.',
    otherwise:
      'If you do not recognize this use, look at the keys of the account and rotate the one that was used.',
  }),
  'alerts-raised': ({ count, worst, lines, more, link }) => ({
    subject: count === '1' ? `Alert: ${worst}` : `${count} alerts, the highest ${worst}`,
    paragraphs: [...lines, ...(more === '0' ? [] : [`${more} more are in your inbox.`]), BRACKETS],
    action: { label: 'Look at the alerts', link },
    why: 'This account watches what the alerts are about, and you are responsible for it.',
    otherwise: 'If you do not want letters about a value, switch off its notifications in the watchlist.',
  }),
  'confirm-subscription': ({ link }) => ({
    subject: 'Confirm your subscription',
    paragraphs: ['Confirm that you want to get our newsletter at this address.'],
    action: { label: 'Confirm the subscription', link },
    why: 'Somebody entered this address in the newsletter form.',
    otherwise: 'If this was not you, ignore this letter: without the link you get no newsletter.',
  }),
  'subscription-confirmed': () => ({
    subject: 'You get our newsletter now',
    paragraphs: ['Your subscription is confirmed. You can end it at any time with the link below.'],
    why: 'You confirmed a subscription with this address.',
    otherwise: 'If this was not you, end the subscription with the link below.',
  }),
  'sso-break-glass': ({ who, when }) => ({
    subject: 'Sign-in without single sign-on',
    paragraphs: [
      `${who} signed in with a password at ${when}, although your organization requires single sign-on. Owners may do so when the identity provider is away.`,
    ],
    why: 'You are an owner of this organization.',
    otherwise: 'If you do not expect this, end the sessions of that person and reset their password.',
  }),
  'form-received': ({ form, id }) => ({
    subject: `A visitor sent the ${form} form`,
    paragraphs: [`Read it with: npm run admin -- forms show ${id}`],
    why: 'FORMS_TO of this service names this address.',
    otherwise: 'If you do not run this service, ask its operator to change FORMS_TO.',
  }),
  'webhook-disabled': ({ host, id, reason, when }) => ({
    subject: `Your webhook at ${host} was disabled`,
    paragraphs: [
      `Nothing is sent to the webhook ${id} at ${host} since ${when}, because ${reason}.`,
      'Its events are kept for 7 days. When the receiver answers again, enable the webhook and replay them.',
    ],
    why: 'You are responsible for the account that this webhook belongs to.',
    otherwise: 'If you do not use the receiver any more, delete the webhook.',
  }),
  'webhooks-over-plan': ({ disabled, allowed, when }) => ({
    subject: 'Webhooks of your account were disabled',
    paragraphs: [
      `Since ${when} nothing is sent to ${disabled === '1' ? 'a webhook' : `${disabled} webhooks`} of your account, because its plan has ${allowed === '0' ? 'none' : allowed}.`,
      'Their events are kept for 7 days. On a larger plan, enable the webhooks and replay them.',
    ],
    why: 'You are responsible for the account that these webhooks belong to.',
    otherwise: 'If you do not use them any more, there is nothing to do.',
  }),
  'mail-test': () => ({
    subject: 'Test letter',
    paragraphs: ['Letters of this service reach this address.'],
    why: 'An operator sent a test with "admin mail test".',
    otherwise: 'If you do not run this service, you can ignore this letter.',
  }),
};

/** Facts that no caller writes: our own links, times, and the client address of a connection. */
const OWN_FACTS: ReadonlySet<string> = new Set(['link', 'when', 'until', 'resetsAt', 'address']);

/** Every other fact may be text of a caller, so none of them becomes a link in a mail program. */
const withoutLinks = (facts: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(facts).map(([name, fact]: [string, unknown]) => [
      name,
      OWN_FACTS.has(name) ? fact : broken(fact),
    ]),
  );

const broken = (fact: unknown): unknown => {
  if (Array.isArray(fact)) return fact.map(broken);
  return typeof fact === 'string' ? breakLinks(fact) : fact;
};

export const wordLetter = ({ kind, facts }: LetterContent): Wording =>
  (WORDS[kind] as (facts: unknown) => Wording)(withoutLinks(facts));

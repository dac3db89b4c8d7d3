import {
  actionOf,
  type EmailReport,
  type PhoneResult,
  type RiskScore,
  verdictOf,
  type WalletResult,
} from '@assay/sdk';
import type { Contact, ContactType } from '../../box/contact-fragment.ts';
import type { Tone } from '../../ui/verdict-mark.tsx';
import { plural } from '../../words/numbers.ts';
import { absoluteTime } from '../../words/time.ts';

/** The answer of the route that takes an e-mail address, a phone number or a wallet in its body. */
export type ContactAnswer =
  | (EmailReport & { readonly detectedType: 'email' })
  | (PhoneResult & { readonly detectedType: 'phone' })
  | (WalletResult & { readonly detectedType: 'crypto' });

export type Fact = { readonly label: string; readonly says: string };

export type ContactView = {
  readonly word: string;
  readonly tone: Tone;
  /** The score; null when the level is `inconclusive`, because a number would claim more than is known. */
  readonly risk: number | null;
  readonly reasons: readonly string[];
  readonly action: string;
  readonly score: RiskScore;
  readonly sources: readonly { readonly id: string; readonly name: string; readonly category: string }[];
  /** The label of each factor in the chart: the name of a list, for other factors the name that the service sends. */
  readonly factorNames: readonly { readonly id: string; readonly name: string }[];
  readonly facts: readonly Fact[];
};

export const CONTACT_WORDS: Readonly<Record<ContactType, string>> = {
  email: 'E-mail address',
  phone: 'Phone number',
  crypto: 'Wallet',
};

export function contactView(answer: ContactAnswer): ContactView {
  const { riskScore, recommendedAction } = answer;
  const evidence = answer.detectedType === 'crypto' ? undefined : answer.evidence;
  // The lookup status is left out: `verdictOf` reads it as "seen or not", but for a contact it is about listings.
  const { word, tone } = verdictOf({
    reputation: { malicious: answer.malicious },
    insights: { riskScore, evidence },
  });
  return {
    word,
    tone,
    risk: riskScore.level === 'inconclusive' ? null : riskScore.score,
    reasons: reasonsOf(answer),
    action: actionOf(recommendedAction),
    score: { ...riskScore, factors: factorsOf(answer) },
    sources: answer.detectedType === 'email' ? [] : answer.sources,
    factorNames: factorsOf(answer).map(({ name }) => ({ id: name, name: listName(answer, name) ?? name })),
    facts: factsOf(answer),
  };
}

const listName = (answer: ContactAnswer, factor: string): string | undefined =>
  answer.detectedType === 'email' ? undefined : answer.sources.find(({ id }) => id === factor)?.name;

const factorsOf = (answer: ContactAnswer): RiskScore['factors'] =>
  answer.detectedType === 'email' ? answer.riskScore.factors : answer.factors;

function reasonsOf(answer: ContactAnswer): readonly string[] {
  const said =
    answer.detectedType === 'email'
      ? answer.reasons
      : answer.detectedType === 'phone'
        ? answer.evidence.reasons
        : [];
  return said.length > 0 ? said : [answer.riskScore.summary];
}

function factsOf(answer: ContactAnswer): readonly Fact[] {
  if (answer.detectedType === 'email') return emailFacts(answer);
  if (answer.detectedType === 'crypto')
    return [
      { label: 'Chain', says: capitalised(answer.chain) },
      { label: 'Checksum', says: 'It holds: the address is well formed.' },
    ];
  return [
    { label: 'Country', says: countryWords(answer.countryCode) },
    { label: 'Line', says: capitalised(answer.lineType.replaceAll('_', ' ')) },
  ];
}

function emailFacts(report: EmailReport): readonly Fact[] {
  const { email, domainReputation, validation, mailSecurity, domainAge, lookalike } = report;
  const kinds = [
    email.disposable ? 'throw-away mailbox' : null,
    email.freeProvider ? 'provider open to the public' : null,
    email.roleAccount ? 'stands for a function' : null,
  ].filter((word) => word !== null);
  return [
    { label: 'Mailbox', says: kinds.length === 0 ? 'nothing special is known' : kinds.join(', ') },
    {
      label: 'Domain lists',
      says:
        domainReputation.sources === 0
          ? 'no threat list names it, which is not a clean bill'
          : `${plural(domainReputation.sources, 'threat list names', 'threat lists name')} it`,
    },
    ...(lookalike === null
      ? []
      : [{ label: 'It imitates', says: `${lookalike.brand} (${lookalike.technique})` }]),
    { label: 'Receives mail', says: yesNo(validation.mxValid) },
    { label: 'SPF', says: yesNo(mailSecurity.hasSPF) },
    { label: 'DMARC', says: yesNo(mailSecurity.hasDMARC) },
    { label: 'Mail grade', says: mailSecurity.grade ?? 'not known' },
    {
      label: 'Registered',
      says:
        domainAge === null
          ? 'not known'
          : `${domainAge.createdDate.slice(0, 10)}, ${plural(domainAge.days, 'day')} ago`,
    },
  ];
}

const yesNo = (is: boolean | null): string =>
  is === null ? 'not known: no name server answered' : is ? 'yes' : 'no';

const COUNTRIES = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
/** Code and name; a code of no country is shown alone. */
function countryWords(code: string | null): string {
  if (code === null) return 'not known';
  const name = /^[A-Z]{2}$/.test(code) ? COUNTRIES.of(code) : undefined;
  return name === undefined ? code : `${code}, ${name}`;
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Four lines for a ticket. The value is defanged, because ticket systems turn text into links. No link back: it would carry the value. */
export function contactTicket(contact: Contact, view: ContactView, checkedMs: number): string {
  const risk = view.risk === null ? 'no score' : `risk ${view.risk} of 100`;
  const names = view.sources.map(({ name }) => name).join(', ');
  return [
    `${defangedContact(contact)} (${CONTACT_WORDS[contact.type]}): ${view.word}, ${risk}.`,
    `Why: ${view.reasons.join(' ')}`,
    `Do: ${view.action}`,
    ...(names === '' ? [] : [`Lists: ${names}.`]),
    `Checked ${absoluteTime(checkedMs, 'utc')} with Assay.`,
  ]
    .map(oneLine)
    .join('\n');
}

/** Defangs an e-mail address; phone numbers and wallets stay as they are, because no program turns them into links. */
export const defangedContact = ({ type, value }: Contact): string => {
  if (type !== 'email') return value;
  const at = value.lastIndexOf('@');
  return `${value.slice(0, at)}[@]${value.slice(at + 1).replaceAll('.', '[.]')}`;
};

/** Names of sources are third-party text: line breaks and invisible characters are removed. */
const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();

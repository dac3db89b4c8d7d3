import type { RiskLevel } from '#domain/scoring/index.ts';
import { KEYED, type Policy } from '#platform/http/policy.ts';
import { type Route, route } from '#platform/http/route.ts';
import { type ContactsDeps, createContacts } from './contacts.ts';
import { Analysis, EmailReport, EmailResult, PhoneResult, WalletResult } from './contract.ts';
import { AnalyzeBody, EmailQuery, PhoneQuery, WalletQuery } from './contract-query.ts';

/** A check costs the burst and one check of the month; unreadable input costs only the burst (decisions 1.4). */
const POLICY: Policy = { ...KEYED, meter: 'checks', class: 'B' };
const WEB: Policy = { ...POLICY, surface: 'web' };
const TAGS = ['Contacts'];

const levelOf = ({ riskScore }: { riskScore?: { level: RiskLevel } | undefined }): string | null =>
  riskScore?.level ?? null;

export const contactsRoutes = (deps: ContactsDeps): readonly Route[] => {
  const contacts = createContacts(deps);
  return [
    route({
      method: 'GET',
      path: '/check/email',
      summary: 'Is this e-mail address listed, and how is its domain rated?',
      description:
        'The score comes from lists that name the address or its domain, from whether the domain offers throw-away mailboxes, and from its live DNS. An unlisted address is `inconclusive`, never `safe`; a value that no name server answered is null.',
      tags: TAGS,
      policy: { ...POLICY, surface: 'api' },
      query: EmailQuery,
      reply: EmailResult,
      outcome: levelOf,
      handle: ({ query, signal, principal }) => contacts.checkEmail(query, signal, principal),
    }),
    route({
      method: 'GET',
      path: '/check/email',
      summary: 'Everything known of an e-mail address, its mailbox and its domain.',
      description:
        'The answer of the API host and more: verdict and reasons, the mailbox, look-alikes of well-known names, the age of the domain, its DNS, and how far to trust all that.',
      tags: TAGS,
      policy: WEB,
      query: EmailQuery,
      reply: EmailReport,
      outcome: levelOf,
      handle: ({ query, signal, principal }) => contacts.reportEmail(query, signal, principal),
    }),
    route({
      method: 'GET',
      path: '/check/phone',
      summary: 'Is this telephone number on a list?',
      description:
        'A number without its country code is read with `country`, else as a North American one; when it is neither, the answer is `unknown` and says why. Letters are refused.',
      tags: TAGS,
      policy: WEB,
      query: PhoneQuery,
      reply: PhoneResult,
      outcome: levelOf,
      handle: ({ query }) => contacts.checkPhone(query),
    }),
    route({
      method: 'GET',
      path: '/check/crypto',
      summary: 'Is this cryptocurrency address on a list?',
      description:
        'The checksum of the address is verified: one that does not hold answers 400. An unlisted wallet is `inconclusive`, never `safe`.',
      tags: TAGS,
      policy: WEB,
      query: WalletQuery,
      reply: WalletResult,
      outcome: levelOf,
      handle: ({ query }) => contacts.checkWallet(query.wallet),
    }),
    route({
      method: 'POST',
      path: '/analyze',
      summary: 'Detect the type of a text and check it.',
      description:
        'Detects the type of the input in this order: URL, IP address, file hash, e-mail address, crypto address, phone number, domain. Answers what the check of that kind answers.',
      tags: TAGS,
      policy: {
        ...WEB,
        receipts: ({ body }) => {
          const { found } = body as AnalyzeBody;
          return found.type === 'ip' || found.type === 'domain' ? { checks: [found.indicator.value] } : {};
        },
      },
      body: AnalyzeBody,
      reply: Analysis,
      outcome: levelOf,
      handle: ({ body, signal, principal }) => contacts.analyze(body, signal, principal),
    }),
  ];
};

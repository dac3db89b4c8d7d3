import type { Reply } from '@assay/sdk';

export type Session = Reply<'getApiAuthSessions'>['sessions'][number];

const METHODS: Readonly<Record<string, string>> = {
  password: 'Password',
  passkey: 'Passkey',
  key: 'API key pair',
  sso: 'Single sign-on',
};
const FACTORS: Readonly<Record<string, string>> = {
  totp: 'a code of the app',
  passkey: 'a passkey',
  recovery: 'a recovery code',
};

/** How a session was opened: "Password and a code of the app". */
export function openedBy({ method, factors }: Pick<Session, 'method' | 'factors'>): string {
  const shown = factors.flatMap((factor) => (factor === method ? [] : (FACTORS[factor] ?? [])));
  return [METHODS[method] ?? method, ...shown].join(' and ');
}

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/Windows/, 'Windows'],
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux|X11/, 'Linux'],
];
const PROGRAM_CHARS_MAX = 60;

/** The program behind a session in words. A client writes this header itself, so it is a hint and no proof. */
export function programOf(userAgent: string): string {
  const nameIn = (names: typeof BROWSERS) => names.find(([pattern]) => pattern.test(userAgent))?.[1];
  const browser = nameIn(BROWSERS);
  const system = nameIn(SYSTEMS);
  if (browser === undefined) return userAgent.slice(0, PROGRAM_CHARS_MAX) || 'A program without a name';
  return system === undefined ? browser : `${browser} on ${system}`;
}

export type Account = { readonly id: string; readonly name: string };

/** The name of the account that a session works for: the person's own, or an organization. */
export const accountOf = (accountId: string, organizations: readonly Account[]): string =>
  organizations.find(({ id }) => id === accountId)?.name ??
  (accountId.startsWith('usr_') ? 'Your own account' : accountId);

/** Groups of four are easier to type. */
export const inGroups = (secret: string): string => secret.match(/.{1,4}/g)?.join(' ') ?? '';

/** The text of the recovery codes for a download or for printing. */
export const codesFile = (codes: readonly string[], site: string, email: string, day: string): string =>
  [
    `Recovery codes of ${email} for ${site}, made on ${day}.`,
    'Each works once, in place of the second factor. Making new codes ends these.',
    '',
    ...codes,
    '',
  ].join('\n');

/** Why this session may not change factors; null when it may. */
export function whyFixed(current: Pick<Session, 'method'> | undefined): string | null {
  if (current === undefined || current.method === 'password' || current.method === 'passkey') return null;
  return current.method === 'key'
    ? 'You are signed in with an API key pair, and what such a session makes ends with its key. Sign in with your password or a passkey to change how you sign in.'
    : 'You are signed in through your organization, which vouches for you there alone. Sign in with your password or a passkey to change how you sign in.';
}

import type { ListedApiKey } from '@assay/sdk';
import { plural } from '../../words/numbers.ts';
import { duration } from '../../words/time.ts';

export type Key = ListedApiKey;

/** Owners and administrators see the keys of every member, others their own. */
export const whoseKeys = ({
  role,
  organization,
}: {
  readonly role: string | null;
  readonly organization: { readonly name: string } | null;
}): string =>
  organization !== null && (role === 'OWNER' || role === 'ADMIN')
    ? `The key pairs of every member of ${organization.name}.`
    : 'Your key pairs.';

export const nameOf = ({ label, apiKey }: Pick<Key, 'label' | 'apiKey'>): string =>
  label === '' ? `Key ${apiKey.slice(0, 9)}…` : label;

/** The keys that were made in sessions of a key, those made in sessions of these, and so on. */
export function descendantsOf(keys: readonly Key[], id: string): readonly Key[] {
  const below = keys.filter(({ parentId }) => parentId === id);
  return below.flatMap((key) => [key, ...descendantsOf(keys, key.id)]);
}

const isWithin = (keys: readonly Key[], of: string, id: string): boolean =>
  of === id || descendantsOf(keys, of).some((key) => key.id === id);

/** A rotation reveals a secret, so a session that a key opened may rotate only that key and the keys made with it. */
export function mayRotate(keys: readonly Key[], id: string): boolean {
  const own = keys.find(({ opensThisSession }) => opensThisSession);
  return own === undefined || isWithin(keys, own.id, id);
}

/** Whether the session of this page ends when the key is revoked. */
export function endsThisSession(keys: readonly Key[], id: string): boolean {
  const own = keys.find(({ opensThisSession }) => opensThisSession);
  return own !== undefined && isWithin(keys, id, own.id);
}

export const mayKeepDescendants = (keys: readonly Key[], id: string): boolean =>
  descendantsOf(keys, id).length > 0 && !endsThisSession(keys, id);

/** The sessions and keys that were opened with a key and end with it, counted in words. */
export function openedWords(keys: readonly Key[], { id, openSessions }: Key): string {
  const made = descendantsOf(keys, id).length;
  const parts = [
    ...(openSessions === 0 ? [] : [plural(openSessions, 'session')]),
    ...(made === 0 ? [] : [plural(made, 'key')]),
  ];
  return parts.length === 0 ? 'nothing open' : parts.join(', ');
}

/** Everything that a revocation ends, as sentences. */
export function revokeSentences(
  keys: readonly Key[],
  key: Key,
  keepsDescendants: boolean,
): readonly string[] {
  const made = keepsDescendants ? [] : descendantsOf(keys, key.id);
  const sessions = [key, ...made].reduce((sum, { openSessions }) => sum + openSessions, 0);
  return [
    'Programs that use it are refused within a second. This cannot be undone.',
    ...(made.length === 0
      ? []
      : [
          `${plural(made.length, 'key')} made in its sessions ${end(made.length)} with it: ${namesOf(made)}.`,
        ]),
    ...(sessions === 0 ? [] : [`${plural(sessions, 'open session')} ${end(sessions)} with it.`]),
    ...(endsThisSession(keys, key.id) ? ['You are signed in with it, so you will be signed out.'] : []),
  ];
}

const end = (count: number): string => (count === 1 ? 'ends' : 'end');
const NAMED_MAX = 5;
const namesOf = (keys: readonly Key[]): string =>
  keys.length <= NAMED_MAX
    ? keys.map(nameOf).join(', ')
    : `${keys.slice(0, NAMED_MAX).map(nameOf).join(', ')} and ${keys.length - NAMED_MAX} more`;

/** The service accepts the old secret for a day at most. */
export const OVERLAPS: readonly { readonly seconds: number; readonly title: string }[] = [
  { seconds: 86_400, title: 'In 24 hours' },
  { seconds: 3_600, title: 'In 1 hour' },
  { seconds: 0, title: 'At once' },
];

export function rotateSentences(key: Key, overlapSeconds: number): readonly string[] {
  const isAtOnce = overlapSeconds === 0;
  const when = isAtOnce ? 'at once' : `in ${duration(overlapSeconds * 1_000)}`;
  const { openSessions: sessions } = key;
  return [
    isAtOnce
      ? 'Programs with the old secret are refused at once. Choose this after a leak.'
      : `Both secrets work until then, so programs can change over. The old one ends ${when}.`,
    ...(sessions === 0 ? [] : [`${plural(sessions, 'open session')} of this key ${end(sessions)} ${when}.`]),
    ...(key.opensThisSession ? [`You are signed in with it: sign in again with the new secret.`] : []),
    'Keys made in its sessions stay.',
  ];
}

/** Addresses and ranges as people write them: one on each line, or with commas. */
export const readCidrs = (text: string): readonly string[] =>
  text.split(/[\s,;]+/).filter((part) => part !== '');

export const usedFromWords = ({ allowedCidrs }: Pick<Key, 'allowedCidrs'>): string =>
  allowedCidrs.length === 0 ? 'anywhere' : allowedCidrs.join(', ');

import { describe, expect, test } from 'vitest';
import {
  descendantsOf,
  endsThisSession,
  type Key,
  mayKeepDescendants,
  mayRotate,
  nameOf,
  openedWords,
  readCidrs,
  revokeSentences,
  rotateSentences,
  usedFromWords,
  whoseKeys,
} from './keys-words.ts';

const key = (id: string, over: Partial<Key> = {}): Key => ({
  id,
  apiKey: `ak_${id}000000`,
  label: id,
  createdAt: '2026-11-01T00:00:00Z',
  lastUsedAt: null,
  allowedCidrs: [],
  previousSecretValidUntil: null,
  parentId: null,
  canSignIn: true,
  openSessions: 0,
  opensThisSession: false,
  ...over,
});
const keys = [
  key('root', { openSessions: 1 }),
  key('mine', { parentId: 'root', openSessions: 2, opensThisSession: true }),
  key('child', { parentId: 'mine', openSessions: 1 }),
  key('grandchild', { parentId: 'child' }),
  key('other'),
];
const [root, mine, child, , other] = keys as [Key, Key, Key, Key, Key];

describe('the lineage of keys', () => {
  test('descendants are all keys below, not only the next', () => {
    expect(descendantsOf(keys, 'root').map(({ id }) => id)).toEqual(['mine', 'child', 'grandchild']);
    expect(descendantsOf(keys, 'other')).toEqual([]);
  });

  test('a session rotates its own key and the keys below it', () => {
    expect(keys.filter(({ id }) => mayRotate(keys, id)).map(({ id }) => id)).toEqual([
      'mine',
      'child',
      'grandchild',
    ]);
    expect(mayRotate([other], 'other')).toBe(true);
  });

  test('a session ends with its own key and with the keys above it, and keeps nothing of those', () => {
    expect(keys.filter(({ id }) => endsThisSession(keys, id)).map(({ id }) => id)).toEqual(['root', 'mine']);
    expect(keys.filter(({ id }) => mayKeepDescendants(keys, id)).map(({ id }) => id)).toEqual(['child']);
  });
});

describe('words about keys', () => {
  test('a key without a name is called by its beginning', () => {
    expect([nameOf(root), nameOf({ ...root, label: '' })]).toEqual(['root', 'Key ak_root00…']);
  });

  test('owners and administrators see the keys of every member', () => {
    const organization = { name: 'Example' };
    expect(whoseKeys({ role: 'ADMIN', organization })).toBe('The key pairs of every member of Example.');
    expect(whoseKeys({ role: 'MEMBER', organization })).toBe('Your key pairs.');
    expect(whoseKeys({ role: null, organization: null })).toBe('Your key pairs.');
  });

  test('what a key opened', () => {
    expect(keys.map((each) => openedWords(keys, each))).toEqual([
      '1 session, 3 keys',
      '2 sessions, 2 keys',
      '1 session, 1 key',
      'nothing open',
      'nothing open',
    ]);
  });

  test('a revocation names everything that ends with the key', () => {
    expect(revokeSentences(keys, root, false).slice(1)).toEqual([
      '3 keys made in its sessions end with it: mine, child, grandchild.',
      '4 open sessions end with it.',
      'You are signed in with it, so you will be signed out.',
    ]);
    expect(revokeSentences(keys, child, true).slice(1)).toEqual(['1 open session ends with it.']);
    expect(revokeSentences(keys, other, false)).toHaveLength(1);
  });

  test('a rotation says when the old secret and the sessions end', () => {
    expect(rotateSentences(mine, 3_600)).toEqual([
      'Both secrets work until then, so programs can change over. The old one ends in 1 h.',
      '2 open sessions of this key end in 1 h.',
      'You are signed in with it: sign in again with the new secret.',
      'Keys made in its sessions stay.',
    ]);
    expect(rotateSentences(other, 0)[0]).toContain('refused at once');
  });

  test('addresses are read one on each line or with commas', () => {
    expect(readCidrs(' 192.0.2.1,\n 2001:db8::/32 ;10.0.0.0/8 ')).toEqual([
      '192.0.2.1',
      '2001:db8::/32',
      '10.0.0.0/8',
    ]);
    expect(readCidrs('  ')).toEqual([]);
    expect(usedFromWords({ allowedCidrs: [] })).toBe('anywhere');
  });
});

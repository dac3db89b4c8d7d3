import { expect, test } from 'vitest';
import { judgeUses } from './judge-uses.ts';
import type { CorpusUse } from './store.ts';

const DATA_AT_MS = Date.UTC(2026, 7, 22);
const use = (processId: string, given: Partial<CorpusUse> = {}): CorpusUse => ({
  processId,
  hashType: 'sha1',
  digest: 'a'.repeat(64),
  entries: 10,
  corpusUpdatedAtMs: DATA_AT_MS,
  firstPrefix: '00000',
  lastPrefix: 'FFFFF',
  seenAtMs: DATA_AT_MS,
  ...given,
});
const NONE: Partial<CorpusUse> = {
  digest: null,
  entries: 0,
  corpusUpdatedAtMs: null,
  firstPrefix: null,
  lastPrefix: null,
};

test('a deployment without passwords has no row', () => {
  expect(judgeUses([])).toEqual([]);
  expect(judgeUses([use('1', NONE), use('2', { ...NONE, hashType: 'ntlm' })])).toEqual([]);
});

test('processes with the same corpus do not differ', () => {
  expect(judgeUses([use('1'), use('2')])).toMatchObject([
    {
      id: 'pwned-passwords-sha1',
      records: 10,
      nodesDiffer: false,
      isFailing: false,
      message: null,
      action: null,
    },
  ]);
});

test.each([
  ['another list', { digest: 'b'.repeat(64) }, '1 of 3 processes answer from another list or have none'],
  ['no list', NONE, '1 of 3 processes answer from another list or have none'],
  ['the same hashes under another date', { corpusUpdatedAtMs: DATA_AT_MS - 1 }, 'different dates'],
])('a process with %s differs, and the operator is told what to do', (_what, given, sentence) => {
  const [row] = judgeUses([use('1'), use('2'), use('3', given)]);
  expect(row).toMatchObject({
    nodesDiffer: true,
    isFailing: true,
    message: expect.stringContaining(sentence),
  });
  expect(row?.action).toContain('passwords status');
});

test('a partial list is named, and is no failure', () => {
  expect(judgeUses([use('1', { lastPrefix: '0CCCC' })])).toMatchObject([
    { isFailing: false, message: 'Only the prefixes 00000 to 0CCCC are loaded; others answer 503.' },
  ]);
});

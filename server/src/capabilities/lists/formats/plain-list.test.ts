import { expect, test } from 'vitest';
import { runFormat } from '#test/run-format.ts';
import { entriesOfPlainLine } from './plain-list.ts';

test.each([
  ['', []],
  ['   ', []],
  ['# comment', []],
  ['; comment', []],
  ['// comment', []],
  ['! comment', []],
  ['\ufeff# comment', []],
  ['\ufeff1.2.3.4', ['1.2.3.4']],
  ['1.2.3.4\r', ['1.2.3.4']],
  ['1.2.3.4      # cloudflare-dns.com', ['1.2.3.4']],
  ['1.2.3.0/24 ; SBL1', ['1.2.3.0/24']],
  ['1.2.3.4\t7', ['1.2.3.4']],
  ['http://evil.example.com/a#b', ['http://evil.example.com/a#b']],
  ['0.0.0.0 evil.example.com', ['evil.example.com']],
  ['127.0.0.1\tevil.example.com  # ads', ['evil.example.com']],
  ['0.0.0.0 a.example.com b.example.com', ['a.example.com', 'b.example.com']],
  ['127.0.0.1 localhost', []],
  ['::1 ip6-localhost ip6-loopback', []],
  ['fe80::1%lo0 localhost', []],
  ['0.0.0.0 0.0.0.0', []],
  ['*.example.com', ['example.com']],
  ['.example.com', ['example.com']],
] as const)('%j holds %j', (line, entries) => {
  expect(entriesOfPlainLine(line)).toEqual(entries);
});

test('in a list of telephone numbers blanks are part of a number, and columns and comments are not', () => {
  const text = '# callers\n+1 415 555 2671\n+41446681800\t7\n0044 20 7946 0958 # bank\n';
  expect(runFormat({ kind: 'plain', entries: 'phone' }, text).entries).toEqual([
    { text: '+1 415 555 2671', kind: 'phone' },
    { text: '+41446681800', kind: 'phone' },
    { text: '0044 20 7946 0958', kind: 'phone' },
  ]);
});

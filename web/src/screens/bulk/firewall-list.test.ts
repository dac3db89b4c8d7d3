import { expect, test } from 'vitest';
import { rowOf } from './bulk-rows.fixture.ts';
import { firewallList } from './firewall-list.ts';
import { triageRows } from './triage-view.ts';

const resolver = { service: { name: 'Quad9', operator: 'Quad9', kind: 'resolver' } } as const;
const hostile = ['bad.example\n0.0.0.0/0', 'bad.example # all', '-x', 'a b', '*', '', '\u202ebad.example'];

test('holds addresses and domains, one on each line, and nothing else', () => {
  const rows = triageRows([
    rowOf('45.155.205.30', { type: 'ip' }),
    rowOf('2001:db8::1', { type: 'ip' }),
    rowOf('xn--bcher-kva.example'),
    rowOf('https://bad.example/a', { type: 'url' }),
    rowOf('a'.repeat(64), { type: 'hash' }),
    rowOf('a@bad.example', { type: 'email' }),
    rowOf('9.9.9.9', { type: 'ip', ...resolver }),
  ]);
  expect(firewallList(rows)).toEqual({
    text: '45.155.205.30\n2001:db8::1\nxn--bcher-kva.example\n',
    count: 3,
    leftOut: '1 named service and 3 values that no firewall list holds',
  });
});

test.each(hostile)('%j becomes no line', (entity) => {
  for (const type of ['ip', 'domain'] as const)
    expect(firewallList(triageRows([rowOf(entity, { type })])).text).toBe('');
});

test('a list with all rows says nothing of a rest', () => {
  expect(firewallList(triageRows([rowOf('bad.example')])).leftOut).toBe('');
});

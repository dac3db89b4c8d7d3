import { expect, test } from 'vitest';
import { neighboursOf } from './bulk-order.ts';

const ORDER = JSON.stringify([
  { type: 'ip', value: '192.0.2.1' },
  { type: 'domain', value: 'evil.example' },
  { type: 'ip', value: '192.0.2.3' },
]);
const of = (type: 'ip' | 'domain', value: string, text: string | null = ORDER) =>
  neighboursOf(text, { type, value });

test('the middle has both neighbours, the ends one', () => {
  expect(of('domain', 'evil.example')).toEqual({
    position: 2,
    total: 3,
    previous: { type: 'ip', value: '192.0.2.1' },
    next: { type: 'ip', value: '192.0.2.3' },
  });
  expect(of('ip', '192.0.2.1')).toMatchObject({ position: 1, previous: null });
  expect(of('ip', '192.0.2.3')).toMatchObject({ position: 3, next: null });
});

test.each([
  ['not of the list', '198.51.100.1', ORDER],
  ['no list', '192.0.2.1', null],
  ['a list of one', '192.0.2.1', JSON.stringify([{ type: 'ip', value: '192.0.2.1' }])],
  ['broken storage', '192.0.2.1', '{'],
  ['storage of another shape', '192.0.2.1', '{"a":1}'],
  ['strange entries', '192.0.2.1', '[null,{"type":"mail","value":"192.0.2.1"},7]'],
])('%s: no steps', (_name, value, text) => {
  expect(of('ip', value, text)).toBeNull();
});

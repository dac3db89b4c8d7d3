import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { frame } from './sse.ts';

type Event = { readonly id: string; readonly type: string; readonly data: string };

/** The event stream interpretation of the HTML standard (9.2.6), without its network part. */
function parseEventStream(text: string): Event[] {
  const events: Event[] = [];
  let data = '';
  let id = '';
  let type = '';
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (line === '') {
      if (data !== '') events.push({ id, type: type === '' ? 'message' : type, data: data.slice(0, -1) });
      data = '';
      type = '';
      continue;
    }
    if (line.startsWith(':')) continue;
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') data += `${value}\n`;
    if (field === 'id' && !value.includes('\0')) id = value;
    if (field === 'event') type = value;
  }
  return events;
}

const nasty = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '\r\n\r\n',
    'data: x',
    '\u2028',
    '\u2029',
    '\0',
    '\ndata: {"forged":true}\n\n',
    ':',
    '\uFEFF',
    'id: 9\n',
  ),
);
const payload = fc.oneof(
  nasty,
  fc.dictionary(nasty, fc.oneof(nasty, fc.array(nasty), fc.double({ noNaN: true }))),
);

describe('frames (decisions 3.13, reliability 3.X)', () => {
  test('a payload with any text is exactly one message event with its own id', () => {
    fc.assert(
      fc.property(payload, fc.integer({ min: 0 }), (data, sequence) => {
        const id = `${sequence}-0`;
        const events = parseEventStream(`retry: 5000\n\n${frame(id, { type: 't', data })}: ping\n\n`);
        expect(events).toHaveLength(1);
        expect(events[0]).toMatchObject({ id, type: 'message' });
        expect(JSON.parse(events[0]?.data ?? '')).toEqual(JSON.parse(JSON.stringify({ type: 't', data })));
      }),
    );
  });

  test('a reader that also splits on U+2028 and U+2029 sees the same', () => {
    fc.assert(
      fc.property(payload, (data) => {
        expect(frame('1', data)).not.toMatch(/[\u2028\u2029\r]/);
      }),
    );
  });

  test.each(['', 'a\nb', 'a b', 'x'.repeat(129), 'é', '1\0'])('%j is refused as an id', (id) => {
    expect(() => frame(id, {})).toThrow(/event id/);
  });
});

import { array, assert, constantFrom, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSseParser, type SseMessage } from './sse-parser.ts';

const parse = (...pieces: readonly string[]): SseMessage[] => {
  const parser = createSseParser();
  return pieces.flatMap((piece) => parser.push(piece));
};

describe('the event stream format (HTML standard 9.2.6)', () => {
  test.each([
    [
      'the frame of the service',
      'id: 1\ndata: {"a":1}\n\n',
      [{ id: '1', event: 'message', data: '{"a":1}' }],
    ],
    [
      'several data lines are joined',
      'data: YHOO\ndata: +2\ndata: 10\n\n',
      [{ id: '', event: 'message', data: 'YHOO\n+2\n10' }],
    ],
    ['a comment is no event', ': ping\n\n', []],
    ['an event without data is ignored', 'event: x\nid: 7\n\n', []],
    ['an empty data line is an event', 'data\n\n', [{ id: '', event: 'message', data: '' }]],
    [
      'one space after the colon is dropped, no more',
      'data:  a\n\n',
      [{ id: '', event: 'message', data: ' a' }],
    ],
    ['a named event', 'event: add\ndata: 1\n\n', [{ id: '', event: 'add', data: '1' }]],
    [
      'the last event without its empty line is not given',
      'data: 1\n\ndata: 2\n',
      [{ id: '', event: 'message', data: '1' }],
    ],
    ['an id with a null is ignored', 'id: a\0b\ndata: 1\n\n', [{ id: '', event: 'message', data: '1' }]],
    ['unknown fields are ignored', 'color: red\ndata: 1\n\n', [{ id: '', event: 'message', data: '1' }]],
    ['CR ends a line', 'data: 1\rdata: 2\r\r', [{ id: '', event: 'message', data: '1\n2' }]],
    [
      'CRLF ends one line, not two',
      'data: 1\r\ndata: 2\r\n\r\n',
      [{ id: '', event: 'message', data: '1\n2' }],
    ],
  ])('%s', (_name, text, expected) => {
    expect(parse(text)).toEqual(expected);
  });

  test('an id stays until the next one', () => {
    expect(parse('id: 4\ndata: a\n\ndata: b\n\n').map(({ id }) => id)).toEqual(['4', '4']);
  });

  test('retry is digits alone', () => {
    const parser = createSseParser();
    parser.push('retry: 10s\n\n');
    expect(parser.retryMs()).toBeNull();
    parser.push('retry: 5000\n\n');
    expect(parser.retryMs()).toBe(5_000);
  });

  test('the position of chunk boundaries makes no difference', () => {
    const bits = constantFrom(
      '\r',
      '\n',
      '\r\n',
      'data: x',
      'data:',
      'id: 1',
      ':',
      'event: e',
      'ü',
      'retry: 1',
    );
    assert(
      property(array(bits, { maxLength: 40 }), (parts) => {
        const text = parts.join('');
        const whole = parse(text);
        expect(parse(...text.split(''))).toEqual(whole);
        for (let cut = 0; cut <= text.length; cut += 1)
          expect(parse(text.slice(0, cut), '', text.slice(cut))).toEqual(whole);
      }),
    );
  });

  test('an event that never ends is refused before it fills the memory', () => {
    const parser = createSseParser(100);
    expect(() => {
      for (let i = 0; i < 20; i += 1) parser.push('data: 0123456789\n');
    }).toThrow('longer than 100');
    const oneLine = createSseParser(100);
    expect(() => oneLine.push('x'.repeat(101))).toThrow('longer than 100');
  });
});

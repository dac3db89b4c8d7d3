import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { breachedHashes, listOf } from './breached.fixture.ts';
import { HashLines, PasswordsRefused } from './hash-lines.ts';

const HASHES = breachedHashes();
const LIST = listOf(HASHES);

type Taken = readonly [prefix: number, suffix: number, count: number];

function read(pieces: readonly Buffer[], type: 'sha1' | 'ntlm' = 'sha1'): Taken[] {
  const taken: Taken[] = [];
  const lines = new HashLines(type, (...given) => taken.push(given));
  lines.beginList();
  for (const piece of pieces) lines.read(piece);
  lines.end();
  return taken;
}
const readText = (text: string, type: 'sha1' | 'ntlm' = 'sha1') => read([Buffer.from(text)], type);

const EXPECTED = HASHES.map(
  ({ hash, count }): Taken => [
    Number.parseInt(hash.slice(0, 5), 16),
    Number.parseInt(hash.slice(5, 17), 16),
    count,
  ],
);

describe('a list in the Have I Been Pwned layout', () => {
  test.each([
    ['as it is published', LIST],
    ['with line feeds alone', LIST.replaceAll('\r', '')],
    ['in lower case', LIST.toLowerCase()],
    ['with a byte order mark', `\ufeff${LIST}`],
  ])('is read %s', (_how, text) => {
    expect(readText(text)).toEqual(EXPECTED);
  });

  test('is read the same in pieces of any size', () => {
    const bytes = Buffer.from(LIST);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), (size) => {
        const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
          bytes.subarray(at * size, (at + 1) * size),
        );
        expect(read(pieces)).toEqual(EXPECTED);
      }),
      { numRuns: 20 },
    );
  });

  test('of NTLM hashes has 32 digits', () => {
    expect(readText(listOf(breachedHashes(32)), 'ntlm')).toHaveLength(HASHES.length);
  });

  test('may hold counts above four bytes: they are stored as the largest that fits', () => {
    expect(readText(`${HASHES[0]?.hash}:9999999999\n`)[0]?.[2]).toBe(0xffff_ffff);
  });
});

describe('a file is refused', () => {
  const line = (at: number) => `${HASHES[at]?.hash}:7\n`;
  const lines = LIST.split('\r\n').filter((text) => text !== '');
  test.each([
    ['that is a web page', '\n <!DOCTYPE html><html></html>\n', /web page/],
    ['that is a web page on one line', '<html>', /web page/],
    ['that is something else', 'id,name\n1,x\n', /^Line 1 is not 40 hexadecimal digits/],
    ['that has no lines', 'A'.repeat(100), /^Line 1 is not 40/],
    ['of hashes of the other type', listOf(breachedHashes(32)), /^Line 1 is not 40/],
    ['without counts', `${HASHES[0]?.hash}\n`, /^Line 1 is not/],
    ['with an empty count', `${HASHES[0]?.hash}:\n`, /^Line 1 is not/],
    ['with a count of nothing', `${line(0)}${HASHES[1]?.hash}:0\n`, /^Line 2 is not/],
    ['with an invalid count', `${HASHES[0]?.hash}:1e3\n`, /^Line 1 is not/],
    ['with an empty line', `${line(0)}\n${line(1)}`, /^Line 2 is not/],
    ['that is not ordered', `${line(0)}${line(2)}${line(1)}`, /^Line 3 does not come after/],
    ['that holds a hash twice', `${line(0)}${line(0)}`, /^Line 2 does not come after/],
    ['that is ordered by count', lines.toReversed().join('\n'), /^Line 2 does not come after/],
    ['that is cut in a line', LIST.slice(0, -3), /^Line 1000 does not end: the file was cut off/],
  ])('%s', (_what, text, sentence) => {
    expect(() => readText(text)).toThrow(PasswordsRefused);
    expect(() => readText(text)).toThrow(sentence);
  });

  test('without a digit of a hash in the message', () => {
    const { hash = '' } = HASHES[5] ?? {};
    try {
      readText(`${hash}:1\n${hash}:1\n`);
    } catch (error) {
      expect((error as Error).message).not.toContain(hash.slice(0, 5));
    }
    expect.assertions(1);
  });
});

describe('a file with the rests of the hashes of one prefix', () => {
  const PREFIX = 0x5baa6;
  const rests = HASHES.slice(0, 20).map(({ hash, count }) => `${hash.slice(5)}:${count}`);
  const readRange = (text: string): Taken[] => {
    const taken: Taken[] = [];
    const lines = new HashLines('sha1', (...given) => taken.push(given));
    lines.beginRange(PREFIX);
    lines.read(Buffer.from(text));
    lines.end();
    return taken;
  };
  const sorted = rests.toSorted();

  test('is read with and without an end of the last line, as the downloader writes it', () => {
    const wanted = sorted.map((line): Taken => {
      const [rest = '', count = ''] = line.split(':');
      return [PREFIX, Number.parseInt(rest.slice(0, 12), 16), Number(count)];
    });
    expect(readRange(sorted.join('\r\n'))).toEqual(wanted);
    expect(readRange(`${sorted.join('\n')}\n`)).toEqual(wanted);
  });

  test('may be empty', () => {
    expect(readRange('')).toEqual([]);
  });

  test.each([
    ['not in order', sorted.toReversed().join('\n'), /^Line 2 does not come after/],
    ['of whole hashes', LIST, /^Line 1 is not 35 hexadecimal digits/],
    ['cut in a hash', sorted.join('\r\n').slice(0, 20), /^Line 1 is not 35/],
    ['a web page', '<html></html>', /web page/],
  ])('that is %s is refused', (_what, text, sentence) => {
    expect(() => readRange(text)).toThrow(sentence);
  });
});

test('several files follow each other, and the next must come after the one before', () => {
  const taken: Taken[] = [];
  const lines = new HashLines('sha1', (...given) => taken.push(given));
  for (const part of [HASHES.slice(0, 400), HASHES.slice(400)]) {
    lines.beginList();
    lines.read(Buffer.from(listOf(part)));
    lines.end();
  }
  expect(taken).toEqual(EXPECTED);
  lines.beginList();
  expect(() => lines.read(Buffer.from(listOf(HASHES.slice(5))))).toThrow(/^Line 1 does not come after/);
});

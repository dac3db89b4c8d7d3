import { describe, expect, test } from 'vitest';
import { isQuick } from '#test/growth.ts';
import { bySize, IS_FULL_SIZE } from '#test/lane.ts';
import { DnsError } from './dns-error.ts';
import { readReply, writeQuestion } from './message.ts';

const CHANGES = bySize(5_000, 50_000);
const QUESTION = { id: 0x1234, name: 'mail.example.com', type: 'MX' } as const;

/** A reply with an alias and two MX records whose names share bytes by pointers. */
function sample(): Buffer {
  const message = Buffer.concat([
    writeQuestion(QUESTION, false),
    Buffer.from('c00c00050001000000640009036d7832026d78c011', 'hex'),
    Buffer.from('c02e000f00010000003c0006000a01a1c011', 'hex'),
    Buffer.from('c02e000f00010000003c0006001401b2c011', 'hex'),
  ]);
  message.writeUInt16BE(0x8180, 2);
  message.writeUInt16BE(3, 6);
  return message;
}

/** A seeded generator, so that every run sees the same numbers. */
function* numbers(seed: number): Generator<number, never> {
  let state = seed;
  for (;;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 0x1_0000_0000;
  }
}

describe('a message', () => {
  test('an alias is followed to the records of its target, with the smallest TTL on the way', () => {
    expect(readReply(sample(), QUESTION)).toEqual({
      kind: 'answered',
      answer: {
        state: 'found',
        ttlS: 60,
        records: [
          { exchange: '\\161.example.com', priority: 10 },
          { exchange: '\\178.example.com', priority: 20 },
        ],
      },
    });
  });

  test('a message cut at any byte raises DnsError or counts as no answer', () => {
    const whole = sample();
    for (let length = 0; length < whole.length; length += 1) {
      const piece = whole.subarray(0, length);
      if (length < 12) expect(readReply(piece, QUESTION).kind).toBe('foreign');
      else expect(endOf(piece)).toBe(length < 34 ? endOf(piece) : 'garbage');
    }
  });

  test('50,000 random changes end in the same two ways, and quickly', () => {
    const random = numbers(7);
    const next = (below: number) => Math.floor(random.next().value * below);
    const startedMs = performance.now();
    for (let i = 0; i < CHANGES; i += 1) {
      const message = sample();
      for (let change = next(6); change >= 0; change -= 1) message[2 + next(message.length - 2)] = next(256);
      expect(['foreign', 'truncated', 'unread', 'servfail', 'refused', 'answered', 'garbage']).toContain(
        endOf(message),
      );
    }
    if (IS_FULL_SIZE) expect(performance.now() - startedMs).toBeLessThan(20_000);
  });

  test('64 KiB of records with the longest names is refused within milliseconds and not read as an empty answer', () => {
    const name = Buffer.concat([...Array(126).fill(Buffer.of(1, 97)), Buffer.of(0)]);
    const record = Buffer.concat([
      Buffer.of(0xc0, 34 + 12),
      Buffer.from('0001000100000000000401020304', 'hex'),
    ]);
    const count = Math.floor((65_535 - 34 - name.length - 14) / record.length);
    const first = Buffer.concat([name, Buffer.from('0010000100000000000100', 'hex')]);
    const message = Buffer.concat([writeQuestion(QUESTION, false), first, ...Array(count).fill(record)]);
    message.writeUInt16BE(0x8180, 2);
    message.writeUInt16BE(count + 1, 6);
    expect(endOf(message)).toBe('garbage');
    expect(isQuick(() => endOf(message))).toBe(true);
  });
});

function endOf(message: Buffer): string {
  try {
    return readReply(message, QUESTION).kind;
  } catch (error) {
    if (error instanceof DnsError) return error.kind;
    throw error;
  }
}

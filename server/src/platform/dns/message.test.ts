import { describe, expect, test } from 'vitest';
import { DnsError } from './dns-error.ts';
import { readReply, writeQuestion } from './message.ts';

const QUESTION = { id: 0x1234, name: 'mail.example.com', type: 'MX' } as const;

/** A reply with two MX records that share their names by pointers, and an alias before them. */
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

/** Numbers that are the same in every run. */
function* numbers(seed: number): Generator<number, never> {
  let state = seed;
  for (;;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 0x1_0000_0000;
  }
}

describe('a message', () => {
  test('with an alias is read to the records of what it leads to, with the least TTL of the way', () => {
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

  test('cut at any byte is an error of ours, or no answer', () => {
    const whole = sample();
    for (let length = 0; length < whole.length; length += 1) {
      const piece = whole.subarray(0, length);
      if (length < 12) expect(readReply(piece, QUESTION).kind).toBe('foreign');
      else expect(endOf(piece)).toBe(length < 34 ? endOf(piece) : 'garbage');
    }
  });

  test('changed at random, 50,000 times, never ends in anything else, and never takes long', () => {
    const random = numbers(7);
    const next = (below: number) => Math.floor(random.next().value * below);
    const startedMs = performance.now();
    for (let i = 0; i < 50_000; i += 1) {
      const message = sample();
      for (let change = next(6); change >= 0; change -= 1) message[2 + next(message.length - 2)] = next(256);
      expect(['foreign', 'truncated', 'unread', 'servfail', 'refused', 'answered', 'garbage']).toContain(
        endOf(message),
      );
    }
    expect(performance.now() - startedMs).toBeLessThan(20_000);
  });

  test('64 KiB of records with the longest names is given up in milliseconds, and not taken for nothing', () => {
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
    const startedMs = performance.now();
    expect(endOf(message)).toBe('garbage');
    expect(performance.now() - startedMs).toBeLessThan(250);
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

import { unreadable } from '../service-failure.ts';
import type { Detail, WireAnswer } from './search-answer.ts';

/**
 * The same answer as protocol buffers, which Google's own service always sends. Field numbers: answer {
 * full_hashes = 1, cache_duration = 2 { seconds = 1, nanos = 2 } }, full hash { hash = 1, details = 2 {
 * threat type = 1, attributes = 2 } }. Other fields are ignored.
 */
const TYPES: Readonly<Record<number, string>> = {
  1: 'MALWARE',
  2: 'SOCIAL_ENGINEERING',
  3: 'UNWANTED_SOFTWARE',
  4: 'POTENTIALLY_HARMFUL_APPLICATION',
  15: 'TRICK_TO_BILL',
};
const ENTRIES_MAX = 10_000;

export function readProtobufAnswer(called: string, body: Buffer): WireAnswer {
  try {
    return readAnswer(body);
  } catch {
    throw unreadable(called);
  }
}

function readAnswer(body: Buffer): WireAnswer {
  const fields = fieldsOf(body);
  return {
    hashes: messages(fields, 1).map((message) => {
      const parts = fieldsOf(message);
      return {
        hash: messages(parts, 1).at(-1) ?? Buffer.alloc(0),
        details: messages(parts, 2).map(readDetail),
      };
    }),
    cacheMs: messages(fields, 2).reduce((_, message) => readDurationMs(message), 0),
  };
}

function readDetail(message: Buffer): Detail {
  const fields = fieldsOf(message);
  const type = fields.findLast(({ number }) => number === 1)?.value;
  // Packed or repeated: only the presence of an attribute matters.
  const attributes = fields.filter(({ number, value }) => number === 2 && !isEmpty(value));
  return {
    type: typeof type === 'number' ? (TYPES[type] ?? 'unknown') : 'unknown',
    attributes: attributes.map(() => 'attribute'),
  };
}

const isEmpty = (value: Field['value']): boolean => Buffer.isBuffer(value) && value.length === 0;

function readDurationMs(message: Buffer): number {
  const fields = fieldsOf(message);
  const numberOf = (wanted: number): number => {
    const value = fields.findLast(({ number }) => number === wanted)?.value;
    return typeof value === 'number' ? value : 0;
  };
  return numberOf(1) * 1_000 + numberOf(2) / 1e6;
}

type Field = { readonly number: number; readonly value: number | Buffer };

const messages = (fields: readonly Field[], wanted: number): readonly Buffer[] =>
  fields.flatMap(({ number, value }) => (number === wanted && Buffer.isBuffer(value) ? [value] : []));

function fieldsOf(message: Buffer): readonly Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = message[at];
      // A 64-bit varint has at most ten bytes.
      if (byte === undefined || scale > 128 ** 9) throw new RangeError('varint');
      at += 1;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  const bytes = (length: number): Buffer => {
    if (at + length > message.length) throw new RangeError('length');
    at += length;
    return message.subarray(at - length, at);
  };
  while (at < message.length) {
    if (fields.length >= ENTRIES_MAX) throw new RangeError('fields');
    const tag = varint();
    const number = Math.floor(tag / 8);
    const wire = tag % 8;
    if (wire === 0) fields.push({ number, value: varint() });
    else if (wire === 2) fields.push({ number, value: bytes(varint()) });
    else if (wire === 1) bytes(8);
    else if (wire === 5) bytes(4);
    else throw new RangeError('wire type');
  }
  return fields;
}

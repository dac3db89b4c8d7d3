import { DnsError } from './dns-error.ts';

const NAME_MAX = 253;
const WIRE_MAX = 255;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/i;
/**
 * Special-use names (RFC 6761, 6762, 7686, 8375, 9476; ICANN's .internal) and suffixes of home and company networks.
 * The public DNS does not have them, and a query would tell an outside resolver about internal names.
 */
const SPECIAL_USE =
  /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|private|corp|home|lan|onion|alt|test|invalid|example|home\.arpa)$/;

/** The name in lower case without its last dot; throws when the public DNS cannot have it. */
export function askableName(text: string): string {
  const name = text.replace(/\.$/, '').toLowerCase();
  if (name.length === 0 || name.length > NAME_MAX || !name.split('.').every((label) => LABEL.test(label)))
    throw new DnsError('name', 'This is not the name of a host or a domain.');
  if (SPECIAL_USE.test(name)) throw new DnsError('name', 'The public DNS does not have this name.');
  return name;
}

export const encodeName = (name: string): Buffer =>
  Buffer.concat([
    ...name
      .split('.')
      .flatMap((label) => (label === '' ? [] : [Buffer.of(label.length), Buffer.from(label, 'latin1')])),
    Buffer.of(0),
  ]);

export type ReadName = { readonly name: string; readonly next: number };

/**
 * Reads a name in lower case and writes every byte that is not allowed in a host name as \DDD (RFC 4343), so the
 * result is printable. A pointer must lead further back than anything read so far, so pointers cannot form a loop.
 */
export function readName(message: Buffer, start: number): ReadName {
  const labels: string[] = [];
  let [at, floor, wire] = [start, start, 1];
  let next: number | null = null;
  for (;;) {
    const length = message[at];
    if (length === undefined) throw new DnsError('garbage', 'A name runs past the end of the answer.');
    if (length === 0) return { name: labels.join('.'), next: next ?? at + 1 };
    if (length >= 0xc0) {
      const target = ((length & 0x3f) << 8) | (message[at + 1] ?? 0xff);
      if (target >= floor)
        throw new DnsError('garbage', 'A name in the answer points forwards or at itself.');
      next ??= at + 2;
      at = target;
      floor = target;
      continue;
    }
    wire += length + 1;
    if (length > 63 || wire > WIRE_MAX || at + 1 + length > message.length)
      throw new DnsError('garbage', 'A name in the answer is longer than a name can be.');
    labels.push(printable(message.toString('latin1', at + 1, at + 1 + length)));
    at += 1 + length;
  }
}

const printable = (label: string): string =>
  label.toLowerCase().replace(/[^a-z0-9_-]/g, (byte) => `\\${String(byte.charCodeAt(0)).padStart(3, '0')}`);

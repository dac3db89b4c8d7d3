import { DnsError } from './dns-error.ts';
import { readName } from './name.ts';

export type DnsRecords = {
  readonly A: string;
  readonly AAAA: string;
  readonly MX: { readonly exchange: string; readonly priority: number };
  readonly NS: string;
  /** The strings of one record joined (RFC 7208 3.3): foreign bytes, read as UTF-8. */
  readonly TXT: string;
  readonly CNAME: string;
  readonly SOA: { readonly primary: string; readonly serial: number; readonly minimumS: number };
};
export type RecordType = keyof DnsRecords;

export const TYPE_NUMBER: Readonly<Record<RecordType, number>> = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  MX: 15,
  TXT: 16,
  AAAA: 28,
};

export type Span = { readonly message: Buffer; readonly start: number; readonly end: number };

/** Reads the data of each type. Names may be compressed, so each reader gets the whole message. */
export const READ_DATA: { readonly [T in RecordType]: (span: Span) => DnsRecords[T] } = {
  A: ({ message, start, end }) => {
    if (end - start !== 4) throw malformed('A');
    return [...message.subarray(start, end)].join('.');
  },
  AAAA: ({ message, start, end }) => {
    if (end - start !== 16) throw malformed('AAAA');
    return ipv6Text(message.subarray(start, end));
  },
  MX: (span) => {
    if (span.end - span.start < 3) throw malformed('MX');
    const priority = span.message.readUInt16BE(span.start);
    return { exchange: nameIn({ ...span, start: span.start + 2 }, 'MX'), priority };
  },
  NS: (span) => nameIn(span, 'NS'),
  CNAME: (span) => nameIn(span, 'CNAME'),
  TXT: readText,
  SOA: ({ message, start, end }) => {
    const primary = readName(message, start);
    const { next } = readName(message, primary.next);
    if (next + 20 !== end) throw malformed('SOA');
    return {
      primary: primary.name,
      serial: message.readUInt32BE(next),
      minimumS: message.readUInt32BE(next + 16),
    };
  },
};

const malformed = (type: string): DnsError =>
  new DnsError('garbage', `A record of type ${type} is malformed.`);

function nameIn({ message, start, end }: Span, type: RecordType): string {
  const { name, next } = readName(message, start);
  if (next !== end) throw malformed(type);
  return name;
}

function readText({ message, start, end }: Span): string {
  const parts: Buffer[] = [];
  let at = start;
  while (at < end) {
    const length = message[at] ?? 0;
    if (at + 1 + length > end) throw malformed('TXT');
    parts.push(message.subarray(at + 1, at + 1 + length));
    at += 1 + length;
  }
  return Buffer.concat(parts).toString('utf8');
}

/** RFC 5952: the longest run of zeros is shortened, the first of equal runs. */
function ipv6Text(bytes: Buffer): string {
  const groups = Array.from({ length: 8 }, (_, i) => bytes.readUInt16BE(i * 2));
  let [from, length] = [0, 1];
  for (let i = 0; i < 8; i += 1) {
    let run = 0;
    while (groups[i + run] === 0) run += 1;
    if (run > length) [from, length] = [i, run];
  }
  const hex = (part: readonly number[]) => part.map((group) => group.toString(16)).join(':');
  return length === 1 ? hex(groups) : `${hex(groups.slice(0, from))}::${hex(groups.slice(from + length))}`;
}

import { DnsError } from './dns-error.ts';
import { encodeName, readName } from './name.ts';
import { type DnsRecords, READ_DATA, type RecordType, TYPE_NUMBER } from './records.ts';

export type Question = { readonly id: number; readonly name: string; readonly type: RecordType };

/** `absent`: the name or the record type does not exist. `isName`: the name exists with other types. */
export type DnsAnswer<R> =
  | { readonly state: 'found'; readonly records: readonly R[]; readonly ttlS: number }
  | { readonly state: 'absent'; readonly isName: boolean; readonly ttlS: number | null };

export type Reply =
  | { readonly kind: 'foreign' }
  | { readonly kind: 'truncated' }
  /** The server cannot read EDNS. */
  | { readonly kind: 'unread' }
  | { readonly kind: 'servfail' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'answered'; readonly answer: DnsAnswer<DnsRecords[RecordType]> };

const HEAD = 12;
const CLASS_IN = 1;
const TYPE_OPT = 41;
/** Fits every network path without fragments, which an attacker could replace (DNS flag day 2020). */
const UDP_PAYLOAD = 1_232;
/** More records of one type are dropped; no honest zone needs them. */
const RECORDS_MAX = 200;
/** The most records read, of any type. 64 KiB hold 4,000 with names of 127 labels: 0.3 s of CPU time, measured. */
const RECORDS_READ_MAX = 400;
const CHAIN_MAX = 16;
const [RCODE_OK, RCODE_FORMAT, RCODE_SERVFAIL, RCODE_NXDOMAIN, RCODE_NOT_IMPLEMENTED] = [0, 1, 2, 3, 4];

export function writeQuestion({ id, name, type }: Question, withEdns: boolean): Buffer {
  const head = Buffer.alloc(HEAD);
  head.writeUInt16BE(id, 0);
  head.writeUInt16BE(0x0100, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(withEdns ? 1 : 0, 10);
  const tail = Buffer.alloc(4);
  tail.writeUInt16BE(TYPE_NUMBER[type], 0);
  tail.writeUInt16BE(CLASS_IN, 2);
  return Buffer.concat([head, encodeName(name), tail, ...(withEdns ? [edns()] : [])]);
}

/** RFC 6891: the root as owner, our payload size in place of a class, no options. */
function edns(): Buffer {
  const record = Buffer.alloc(11);
  record.writeUInt16BE(TYPE_OPT, 1);
  record.writeUInt16BE(UDP_PAYLOAD, 3);
  return record;
}

export function readReply(message: Buffer, question: Question): Reply {
  if (message.length < HEAD || message.readUInt16BE(0) !== question.id) return { kind: 'foreign' };
  const flags = message.readUInt16BE(2);
  if ((flags & 0x8000) === 0) return { kind: 'foreign' };
  const rcode = flags & 0x0f;
  // A server that cannot read a question need not repeat it (RFC 1035 4.1.1).
  if (rcode === RCODE_FORMAT || rcode === RCODE_NOT_IMPLEMENTED) return { kind: 'unread' };
  const answersAt = endOfQuestion(message, question);
  if (answersAt === null) return { kind: 'foreign' };
  if ((flags & 0x0200) !== 0) return { kind: 'truncated' };
  if (rcode === RCODE_SERVFAIL) return { kind: 'servfail' };
  if (rcode !== RCODE_OK && rcode !== RCODE_NXDOMAIN) return { kind: 'refused' };
  return { kind: 'answered', answer: readAnswer(message, answersAt, question, rcode === RCODE_NXDOMAIN) };
}

/** The offset of the answers; null when the repeated question is not ours (RFC 5452 9.1). */
function endOfQuestion(message: Buffer, { name, type }: Question): number | null {
  if (message.readUInt16BE(4) !== 1) return null;
  const asked = readName(message, HEAD);
  if (asked.name !== name || message.length < asked.next + 4) return null;
  const isSame =
    message.readUInt16BE(asked.next) === TYPE_NUMBER[type] &&
    message.readUInt16BE(asked.next + 2) === CLASS_IN;
  return isSame ? asked.next + 4 : null;
}

type Raw = {
  readonly owner: string;
  readonly type: number;
  readonly ttlS: number;
  readonly start: number;
  readonly end: number;
};

function readRaw(message: Buffer, at: number): Raw & { readonly class: number } {
  const { name: owner, next } = readName(message, at);
  if (next + 10 > message.length) throw new DnsError('garbage', 'The answer ends inside a record.');
  const start = next + 10;
  const end = start + message.readUInt16BE(next + 8);
  if (end > message.length) throw new DnsError('garbage', 'The answer ends inside a record.');
  const ttlS = message.readUInt32BE(next + 4);
  return {
    owner,
    type: message.readUInt16BE(next),
    class: message.readUInt16BE(next + 2),
    // A TTL with the highest bit set counts as 0 (RFC 2181 8).
    ttlS: ttlS > 0x7fff_ffff ? 0 : ttlS,
    start,
    end,
  };
}

function readAnswer(
  message: Buffer,
  from: number,
  question: Question,
  isNxdomain: boolean,
): DnsAnswer<DnsRecords[RecordType]> {
  const wanted: Raw[] = [];
  const aliases = new Map<string, { readonly target: string; readonly ttlS: number }>();
  const isCut = message.readUInt16BE(6) > RECORDS_READ_MAX;
  const count = isCut ? RECORDS_READ_MAX : message.readUInt16BE(6);
  let at = from;
  for (let i = 0; i < count && wanted.length < RECORDS_MAX && aliases.size <= CHAIN_MAX; i += 1) {
    const raw = readRaw(message, at);
    at = raw.end;
    if (raw.class !== CLASS_IN) continue;
    if (raw.type === TYPE_NUMBER[question.type]) wanted.push(raw);
    else if (raw.type === TYPE_NUMBER.CNAME)
      aliases.set(raw.owner, { target: READ_DATA.CNAME({ message, ...raw }), ttlS: raw.ttlS });
  }
  const { owner, ttlS } = followAliases(question.name, aliases);
  // Records of other names were not asked for and are not trusted.
  const own = wanted.filter((raw) => raw.owner === owner);
  if (own.length > 0)
    return {
      state: 'found',
      records: own.map((raw) => READ_DATA[question.type]({ message, ...raw })),
      ttlS: Math.min(ttlS, ...own.map((raw) => raw.ttlS)),
    };
  // An answer that was not read to its end must not be reported as empty.
  if (isCut || wanted.length === RECORDS_MAX || aliases.size > CHAIN_MAX)
    throw new DnsError('garbage', 'The answer has more records than an answer needs.');
  return { state: 'absent', isName: !isNxdomain, ttlS: readNegativeTtl(message, at) };
}

function followAliases(
  name: string,
  aliases: ReadonlyMap<string, { readonly target: string; readonly ttlS: number }>,
): { readonly owner: string; readonly ttlS: number } {
  let [owner, ttlS] = [name, Number.POSITIVE_INFINITY];
  for (let step = 0; step <= CHAIN_MAX; step += 1) {
    const alias = aliases.get(owner);
    if (alias === undefined) return { owner, ttlS };
    owner = alias.target;
    ttlS = Math.min(ttlS, alias.ttlS);
  }
  throw new DnsError('servfail', 'The name is an alias that leads in a circle or too far.');
}

/** The SOA in the authority section gives the TTL of a negative answer (RFC 2308 5). */
function readNegativeTtl(message: Buffer, from: number): number | null {
  const count = Math.min(message.readUInt16BE(8), RECORDS_READ_MAX);
  let at = from;
  for (let i = 0; i < count; i += 1) {
    const raw = readRaw(message, at);
    at = raw.end;
    if (raw.type === TYPE_NUMBER.SOA) return Math.min(raw.ttlS, READ_DATA.SOA({ message, ...raw }).minimumS);
  }
  return null;
}

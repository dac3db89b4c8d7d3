import { NOT_IPV4, readIpv4, readIpv6 } from '#domain/indicator/index.ts';
import type { AsnRange } from './asn-table.ts';
import { textOf } from './geo-record.ts';
import { RefusedFile } from './refused-file.ts';

/** A file of another kind fails on most lines, a mistake of the publisher on a few. */
const BAD_SHARE_MAX = 0.01;
const ASN_MAX = 0xffff_ffff;
const LINE_MAX = 4_096;
const FORM = "'first address,last address,AS number,name'";

/** Lines of `first,last,number,name`, the name quoted when it holds a comma. A heading and comments are skipped. */
export function readAsnCsv(label: string, bytes: Buffer): readonly AsnRange[] {
  const ranges: AsnRange[] = [];
  let [lines, bad] = [0, 0];
  let [firstBad, lastBad] = ['', 0];
  for (const line of linesOf(bytes)) {
    if (line === '' || line.startsWith('#')) continue;
    lines += 1;
    const range = readLine(line);
    if (range === 'unrouted') continue;
    if (range !== null) ranges.push(range);
    else if (lines > 1) {
      bad += 1;
      lastBad = lines;
      firstBad ||= line.slice(0, 80);
    }
  }
  if (ranges.length === 0) throw new RefusedFile(`${label} is no table of networks: no line is ${FORM}.`);
  if (bad > lines * BAD_SHARE_MAX)
    throw new RefusedFile(
      `${label} is no table of networks: ${bad.toLocaleString('en-US')} of ${lines.toLocaleString('en-US')} lines are not ${FORM}, the first is '${firstBad.replace(/\p{Cc}+/gu, ' ')}'.`,
    );
  if (lastBad === lines) throw new RefusedFile(`${label} was cut off: its last line is not complete.`);
  return ranges;
}

function* linesOf(bytes: Buffer): Generator<string> {
  for (let at = 0; at < bytes.length; ) {
    const next = bytes.indexOf(10, at);
    const end = next < 0 ? bytes.length : next;
    yield bytes.toString('utf8', at, Math.min(end, at + LINE_MAX)).trim();
    at = end + 1;
  }
}

function readLine(line: string): AsnRange | 'unrouted' | null {
  const [first = '', last = '', number = '', ...rest] = line.split(',');
  const [from, to] = [addressOf(unquoted(first)), addressOf(unquoted(last))];
  const digits = unquoted(number);
  if (from === null || to === null || from.version !== to.version || from.value > to.value) return null;
  if (!/^\d{1,10}$/.test(digits) || Number(digits) > ASN_MAX) return null;
  const asn = Number(digits);
  // Tables of the whole space give 0 for unannounced ranges.
  if (asn === 0) return 'unrouted';
  const name = textOf(unquoted(rest.join(','))) ?? `AS${asn}`;
  return { version: from.version, first: from.value, last: to.value, asn, name };
}

function addressOf(text: string): { readonly version: 4 | 6; readonly value: bigint } | null {
  const address = readIpv4(text);
  if (address !== NOT_IPV4) return { version: 4, value: BigInt(address) };
  const bytes = readIpv6(text);
  return bytes === null ? null : { version: 6, value: BigInt(`0x${Buffer.from(bytes).toString('hex')}`) };
}

const unquoted = (text: string): string => {
  const bare = text.trim();
  return bare.length > 1 && bare.startsWith('"') && bare.endsWith('"')
    ? bare.slice(1, -1).replaceAll('""', '"')
    : bare;
};

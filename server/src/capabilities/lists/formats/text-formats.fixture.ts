import { adblockList } from './adblock.ts';
import { bindConf } from './bind.ts';
import { csvList } from './csv.ts';
import { csvRanges } from './csv-ranges.ts';
import { dnsmasqConf } from './dnsmasq.ts';
import type { Entry, FormatParser, Sink } from './format.ts';
import type { FormatSpec } from './format-spec.ts';
import { freeText } from './free-text.ts';
import { hashComment } from './hash-comment.ts';
import { hostsFile } from './hosts.ts';
import { REJECTED, UNSUPPORTED } from './not-listed.ts';
import { plainList } from './plain-list.ts';
import { rpzZone } from './rpz.ts';
import { sectionedList } from './sectioned.ts';
import { suricataRules } from './suricata.ts';
import { ublacklist } from './ublacklist.ts';
import { unboundConf } from './unbound.ts';

export type OpenText = (sink: Sink) => FormatParser;

const open = <S extends FormatSpec>(parser: (sink: Sink, spec: S) => FormatParser, spec: S): OpenText => {
  return (sink) => parser(sink, spec);
};

/** Every text format in each of its variants, for tests that apply to all of them. */
export const TEXT_FORMATS = {
  plain: open(plainList, { kind: 'plain' }),
  'plain, URLs without a scheme': open(plainList, { kind: 'plain', schemelessUrls: true }),
  'plain, systems': open(plainList, { kind: 'plain', entries: 'asn' }),
  'plain, wallets': open(plainList, { kind: 'plain', entries: 'crypto' }),
  hosts: open(hostsFile, { kind: 'hosts' }),
  adblock: open(adblockList, { kind: 'adblock' }),
  ublacklist: open(ublacklist, { kind: 'ublacklist' }),
  dnsmasq: open(dnsmasqConf, { kind: 'dnsmasq' }),
  unbound: open(unboundConf, { kind: 'unbound' }),
  rpz: open(rpzZone, { kind: 'rpz' }),
  bind: open(bindConf, { kind: 'bind' }),
  suricata: open(suricataRules, { kind: 'suricata' }),
  csv: open(csvList, { kind: 'csv', values: [0] }),
  'csv, every feature': open(csvList, {
    kind: 'csv',
    header: 'first',
    values: ['a', 'b', 'c'],
    url: { host: 'host', path: 'path' },
    siblings: true,
    firstSeen: 'first',
    lastSeen: 'last',
    confidence: 'confidence',
    confidenceScale: 10,
    reference: 'reference',
    family: 'family',
    rank: 'rank',
    only: { column: 'type', values: ['x'] },
    without: ['left out'],
  }),
  'csv, header in a comment': open(csvList, {
    kind: 'csv',
    header: 'comment',
    delimiter: ', ',
    values: ['ip'],
  }),
  'csv-ranges': open(csvRanges, { kind: 'csv-ranges', first: 0, last: 1 }),
  'hash-comment': open(hashComment, { kind: 'hash-comment' }),
  sectioned: open(sectionedList, { kind: 'sectioned' }),
  'free-text': open(freeText, { kind: 'free-text' }),
} as const;

export type Told = {
  readonly entries: readonly Entry[];
  readonly unsupported: readonly (readonly [reason: string, example: string])[];
  readonly rejected: readonly (readonly [reason: string, example: string])[];
  readonly dates: readonly number[];
};

export function readText(openText: OpenText, pieces: readonly string[], member?: string): Told {
  const entries: Entry[] = [];
  const unsupported: [string, string][] = [];
  const rejected: [string, string][] = [];
  const dates: number[] = [];
  const parser = openText({
    entry: (entry) => entries.push(entry),
    unsupported: (reason, example) => unsupported.push([reason, example]),
    rejected: (reason, example) => rejected.push([reason, example]),
    dataDate: (ms) => dates.push(ms),
  });
  if (member !== undefined) parser.member?.(member);
  for (const piece of pieces) parser.write(piece);
  parser.end();
  return { entries, unsupported, rejected, dates };
}

export const textsOf = (told: Told): readonly string[] => told.entries.map((entry) => entry.text);

/** All results in order: texts of entries, `- reason` for unsupported and `! reason` for rejected pieces. */
export function saidOf(openText: OpenText, text: string): readonly string[] {
  const said: string[] = [];
  const nameOf = (reasons: Readonly<Record<string, string>>, reason: string): string =>
    Object.keys(reasons).find((name) => reasons[name] === reason) ?? reason;
  const parser = openText({
    entry: (entry) => said.push(entry.text),
    unsupported: (reason) => said.push(`- ${nameOf(UNSUPPORTED, reason)}`),
    rejected: (reason) => said.push(`! ${nameOf(REJECTED, reason)}`),
    dataDate: () => undefined,
  });
  parser.write(text);
  parser.end();
  return said;
}

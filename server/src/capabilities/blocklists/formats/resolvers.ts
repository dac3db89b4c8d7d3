import type { ListEntry } from '../list-entry.ts';
import { annotationOf } from './annotation.ts';
import { type Format, PLAIN_TEXT, type Rendered, type RenderInput } from './format.ts';
import { LineSink } from './line-sink.ts';
import { foldNames, isPlainName } from './names.ts';

const NAMES = ['names'] as const;

type NameFormat = {
  readonly name: string;
  /** The character that begins a comment. */
  readonly comment: string;
  readonly head?: (input: RenderInput) => readonly string[];
  readonly line: (name: string) => string;
  /** Leaves out a name whose parent is listed, because the program refuses or ignores it. */
  readonly folds?: boolean;
  readonly fits?: (name: string) => boolean;
};

/** Reserved for the name of the zone, which is appended to each name; 255 octets is the limit of RFC 1035 for both. */
const RPZ_ZONE_OCTETS = 32;
const WIRE_OCTETS_MAX = 255;
const WILDCARD_OCTETS = 2;
const fitsRpz = (name: string): boolean =>
  name.length + 1 + WILDCARD_OCTETS + RPZ_ZONE_OCTETS <= WIRE_OCTETS_MAX;

/** All formats block a name with its subdomains, except `hosts` and `haproxy`, which compare whole names. */
const FORMATS: readonly NameFormat[] = [
  { name: 'hosts', comment: '#', line: (name) => `0.0.0.0 ${name}` },
  {
    name: 'rpz',
    comment: ';',
    head: ({ builtAtMs }) => [
      '$TTL 300',
      `@ SOA localhost. root.localhost. ${Math.floor(builtAtMs / 1_000) % 2 ** 32} 600 60 604800 60`,
      '@ NS localhost.',
    ],
    line: (name) => `${name} CNAME .\n*.${name} CNAME .`,
    fits: fitsRpz,
  },
  {
    name: 'unbound',
    comment: '#',
    head: () => ['server:'],
    line: (name) => `local-zone: "${name}." always_nxdomain`,
  },
  { name: 'dnsmasq', comment: '#', line: (name) => `local=/${name}/` },
  { name: 'adblock', comment: '!', head: () => ['[Adblock Plus]'], line: (name) => `||${name}^` },
  { name: 'rbldnsd', comment: '#', head: () => [':127.0.0.2:Listed'], line: (name) => `.${name}` },
  { name: 'haproxy', comment: '#', line: (name) => name },
  { name: 'squid', comment: '#', line: (name) => `.${name}`, folds: true },
  { name: 'fortinet', comment: '#', line: (name) => name },
  { name: 'palo-alto', comment: '#', line: (name) => `${name}\n*.${name}` },
];

export const RESOLVER_FORMATS: readonly Format[] = FORMATS.map((format) => ({
  name: format.name,
  kinds: NAMES,
  mediaType: PLAIN_TEXT,
  render: (input) => renderNames(format, input),
}));

function renderNames(format: NameFormat, input: RenderInput): Rendered {
  const sayable = ({ value }: ListEntry) => isPlainName(value) && (format.fits?.(value) ?? true);
  const plain = input.entries.filter(sayable);
  const kept = format.folds === true ? foldNames(plain) : plain;
  const lines = new LineSink();
  for (const line of format.head?.(input) ?? []) lines.add(line);
  for (const entry of kept) {
    if (input.annotate) lines.add(`${format.comment} ${annotationOf(entry)}`);
    lines.add(format.line(entry.value));
  }
  return { body: lines.end(), entries: kept.length, left: input.entries.length - plain.length };
}

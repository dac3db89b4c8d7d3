import { type Command, Option } from 'commander';
import type { FormatSpec } from '#capabilities/lists/index.ts';
import { AdminError } from './context.ts';

/** The formats that one line of options can describe; other formats need a catalogue row. */
export const FORMATS = [
  'plain',
  'hosts',
  'adblock',
  'ublacklist',
  'dnsmasq',
  'unbound',
  'rpz',
  'bind',
  'suricata',
  'csv',
  'ndjson',
  'json',
  'stix',
  'misp-warninglist',
  'misp-feed',
  'hash-comment',
  'free-text',
] as const satisfies readonly FormatSpec['kind'][];

export type FormatOptions = {
  readonly format?: (typeof FORMATS)[number];
  readonly column?: readonly string[];
  readonly delimiter?: string;
  readonly header?: 'first' | 'comment' | 'none';
  readonly each?: readonly string[];
  readonly field?: readonly string[];
};

export const withFormat = (command: Command): Command =>
  command
    .addOption(
      new Option('--format <format>', 'how the file is written; default: plain, one entry a line').choices(
        FORMATS,
      ),
    )
    .option('--column <names...>', 'csv: columns that hold entries, by name or number from 0; default: 0')
    .option('--delimiter <text>', 'csv: what stands between columns; default: a comma')
    .addOption(
      new Option('--header <where>', 'csv: where the columns are named; default: none').choices([
        'first',
        'comment',
        'none',
      ]),
    )
    .option('--each <paths...>', 'json: where the elements are, such as prefixes[*].ip_prefix')
    .option('--field <paths...>', 'json, ndjson: fields of an element that hold entries');

/** Null without any format option: the catalogue row decides, or the list is plain. */
export function formatFrom(options: FormatOptions): FormatSpec | null {
  const { format, column, delimiter, header, each, field } = options;
  refuseFor(format, ['csv'], { '--column': column, '--delimiter': delimiter, '--header': header });
  refuseFor(format, ['json'], { '--each': each });
  refuseFor(format, ['json', 'ndjson'], { '--field': field });
  switch (format) {
    case undefined:
      return null;
    case 'csv': {
      const names = column ?? ['0'];
      return {
        kind: 'csv',
        values: names.map((name) => (/^\d+$/.test(name) ? Number(name) : name)),
        header: header ?? (names.every((name) => /^\d+$/.test(name)) ? 'none' : 'first'),
        ...(delimiter === undefined ? {} : { delimiter: delimiter === '\\t' ? '\t' : delimiter }),
      };
    }
    case 'json':
      return {
        kind: 'json',
        each: each ?? ['[*]'],
        ...(field === undefined ? {} : { fields: { values: field } }),
      };
    case 'ndjson':
      if (field === undefined)
        throw new AdminError('--format ndjson needs --field: which fields hold entries.');
      return { kind: 'ndjson', fields: { values: field } };
    default:
      return { kind: format };
  }
}

function refuseFor(
  format: FormatOptions['format'],
  formats: readonly string[],
  given: Readonly<Record<string, unknown>>,
): void {
  for (const [flag, value] of Object.entries(given))
    if (value !== undefined && !formats.includes(format ?? ''))
      throw new AdminError(`${flag} belongs to --format ${formats.join(' or --format ')}.`);
}

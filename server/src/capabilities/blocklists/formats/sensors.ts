import type { ListEntry } from '../list-entry.ts';
import { blockText, isSingle, unionOf } from './address-union.ts';
import { annotationOf } from './annotation.ts';
import { type Format, PLAIN_TEXT, type Rendered, type RenderInput } from './format.ts';
import { LineSink } from './line-sink.ts';
import { isPlainName } from './names.ts';

const BOTH = ['addresses', 'names'] as const;

export const SENSOR_FORMATS: readonly Format[] = [
  {
    name: 'suricata',
    kinds: BOTH,
    mediaType: PLAIN_TEXT,
    render: (input) => (input.kind === 'addresses' ? renderReputation(input) : renderDataset(input)),
  },
  { name: 'zeek', kinds: BOTH, mediaType: PLAIN_TEXT, render: renderIntel },
];

/** Category 1 of the operator's category file. Suricata's scores go from 1 to 127. */
const CATEGORY = 1;

/** `address,category,score`: an IP reputation file. It has its score already and no comments. */
function renderReputation({ entries }: RenderInput): Rendered {
  const { v4, v6, left } = unionOf(entries);
  const lines = new LineSink();
  for (const block of [...v4, ...v6])
    lines.add(`${blockText(block)},${CATEGORY},${Math.max(1, Math.min(127, Math.round(block.entry.score)))}`);
  return { body: lines.end(), entries: v4.length + v6.length, left };
}

/** A data set of type string: one name on each line, in Base64. It has no comments. */
function renderDataset({ entries }: RenderInput): Rendered {
  const plain = entries.filter(({ value }) => isPlainName(value));
  const lines = new LineSink();
  for (const { value } of plain) lines.add(Buffer.from(value).toString('base64'));
  return { body: lines.end(), entries: plain.length, left: entries.length - plain.length };
}

/** A file of the intelligence framework: fields between tabs, `-` for none. */
function renderIntel(input: RenderInput): Rendered {
  const lines = new LineSink();
  lines.add('#fields\tindicator\tindicator_type\tmeta.source\tmeta.desc');
  const add = (value: string, type: string, entry: ListEntry) =>
    lines.add(
      `${value}\tIntel::${type}\tassay-${input.label}\t${input.annotate ? annotationOf(entry) : '-'}`,
    );
  if (input.kind === 'names') {
    const plain = input.entries.filter(({ value }) => isPlainName(value));
    for (const entry of plain) add(entry.value, 'DOMAIN', entry);
    return { body: lines.end(), entries: plain.length, left: input.entries.length - plain.length };
  }
  const { v4, v6, left } = unionOf(input.entries);
  for (const block of [...v4, ...v6]) add(blockText(block), isSingle(block) ? 'ADDR' : 'SUBNET', block.entry);
  return { body: lines.end(), entries: v4.length + v6.length, left };
}

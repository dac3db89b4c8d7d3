import { type AddressBlock, blockText, unionOf } from './address-union.ts';
import { annotationOf } from './annotation.ts';
import { type Format, PLAIN_TEXT, type Rendered, type RenderInput } from './format.ts';
import { LineSink } from './line-sink.ts';

const ADDRESSES = ['addresses'] as const;

/**
 * One block on each line, IPv4 before IPv6, comments on lines of their own that begin with `#`. These programs read both
 * families from one file: pf tables, the ACL files of HAProxy and Squid, and the external lists of two vendors.
 */
export const ADDRESS_LINE_FORMATS: readonly Format[] = [
  'pf',
  'fortinet',
  'palo-alto',
  'haproxy',
  'squid',
].map((name) => ({ name, kinds: ADDRESSES, mediaType: PLAIN_TEXT, render: renderLines }));

function renderLines(input: RenderInput): Rendered {
  const { v4, v6, left } = unionOf(input.entries);
  const lines = new LineSink();
  for (const block of v4) addLine(lines, block, input.annotate);
  for (const block of v6) addLine(lines, block, input.annotate);
  return { body: lines.end(), entries: v4.length + v6.length, left };
}

function addLine(lines: LineSink, block: AddressBlock, annotate: boolean): void {
  if (annotate) lines.add(`# ${annotationOf(block.entry)}`);
  lines.add(blockText(block));
}

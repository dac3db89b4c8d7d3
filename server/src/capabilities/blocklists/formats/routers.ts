import { formatIpv4 } from '#domain/indicator/index.ts';
import { type AddressBlock, addressText, blockText, isSingle, prefixText, unionOf } from './address-union.ts';
import { annotationOf } from './annotation.ts';
import { type Format, PLAIN_TEXT, type Rendered, type RenderInput } from './format.ts';
import { LineSink } from './line-sink.ts';

const ADDRESSES = ['addresses'] as const;

export const ROUTER_FORMATS: readonly Format[] = [
  { name: 'mikrotik', kinds: ADDRESSES, mediaType: PLAIN_TEXT, render: renderMikrotik },
  { name: 'cisco', kinds: ADDRESSES, mediaType: PLAIN_TEXT, render: renderCisco },
  { name: 'juniper', kinds: ADDRESSES, mediaType: PLAIN_TEXT, render: renderJuniper },
];

type Family = { readonly family: 4 | 6; readonly blocks: readonly AddressBlock[] };

function renderBy(input: RenderInput, write: (lines: LineSink, part: Family) => void): Rendered {
  const { v4, v6, left } = unionOf(input.entries);
  const lines = new LineSink();
  write(lines, { family: 4, blocks: v4 });
  write(lines, { family: 6, blocks: v6 });
  return { body: lines.end(), entries: v4.length + v6.length, left };
}

/** A RouterOS script for `/import`: the old entries of the list go, then the new ones come. */
function renderMikrotik(input: RenderInput): Rendered {
  const list = `assay-${input.label}`;
  return renderBy(input, (lines, { family, blocks }) => {
    lines.add(`/${family === 4 ? 'ip' : 'ipv6'} firewall address-list`);
    lines.add(`remove [find list=${list}]`);
    for (const block of blocks) {
      const comment = input.annotate ? ` comment="${annotationOf(block.entry)}"` : '';
      lines.add(`add list=${list} address=${blockText(block)}${comment}`);
    }
  });
}

/** Object groups of ASA and FTD, one for each family. IPv6 is written as a prefix, IPv4 with its mask. */
function renderCisco(input: RenderInput): Rendered {
  return renderBy(input, (lines, { family, blocks }) => {
    if (blocks.length === 0) return;
    lines.add(`object-group network ASSAY-${input.label.toUpperCase()}-V${family}`);
    for (const block of blocks) {
      if (input.annotate) lines.add(`! ${annotationOf(block.entry)}`);
      lines.add(` network-object ${ciscoText(block)}`);
    }
  });
}

function ciscoText(block: AddressBlock): string {
  if (isSingle(block)) return `host ${addressText(block)}`;
  if (block.version === 6) return prefixText(block);
  return `${addressText(block)} ${formatIpv4(Number((0xffffffffn << BigInt(32 - block.bits)) & 0xffffffffn))}`;
}

/** Prefix lists for `load replace`, which exchanges the whole list in one commit. */
function renderJuniper(input: RenderInput): Rendered {
  const opening = new LineSink();
  opening.add('policy-options {');
  const rendered = renderBy(input, (lines, { family, blocks }) => {
    lines.add(`    replace: prefix-list assay-${input.label}-v${family} {`);
    for (const block of blocks) {
      const comment = input.annotate ? `/* ${annotationOf(block.entry)} */ ` : '';
      lines.add(`        ${comment}${prefixText(block)};`);
    }
    lines.add('    }');
  });
  return { ...rendered, body: Buffer.concat([opening.end(), rendered.body, Buffer.from('}\n')]) };
}

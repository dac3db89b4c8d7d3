import { type AddressBlock, addressText, blockText, unionOf } from './address-union.ts';
import { annotationOf } from './annotation.ts';
import { type Format, PLAIN_TEXT, type Rendered, type RenderInput } from './format.ts';
import { LineSink } from './line-sink.ts';

const ADDRESSES = ['addresses'] as const;
const packetFilter = (name: string, render: Format['render']): Format => ({
  name,
  kinds: ADDRESSES,
  mediaType: PLAIN_TEXT,
  render,
});

export const PACKET_FILTER_FORMATS: readonly Format[] = [
  packetFilter('nftables', renderNftables),
  packetFilter('ipset', renderIpset),
  packetFilter('iptables', (input) => renderIptables(input, 4)),
  packetFilter('ip6tables', (input) => renderIptables(input, 6)),
];

/** Elements of one `add element` statement, limited because nft holds a whole statement in memory as a tree. */
const ELEMENTS_AT_ONCE = 8_192;

/**
 * Two sets in the table `inet assay`, flushed and filled in one transaction, so that no packet meets half a list. The sets
 * do not merge (`auto-merge`): the file is merged already, and the kernel then counts what the file counts.
 */
function renderNftables(input: RenderInput): Rendered {
  const { v4, v6, left } = unionOf(input.entries);
  const lines = new LineSink();
  lines.add('add table inet assay');
  for (const [blocks, family] of [
    [v4, 4],
    [v6, 6],
  ] as const) {
    const name = `inet assay ${input.label.replaceAll('-', '_')}_v${family}`;
    lines.add(`add set ${name} { type ipv${family}_addr; flags interval; }`);
    lines.add(`flush set ${name}`);
    for (let at = 0; at < blocks.length; at += ELEMENTS_AT_ONCE) {
      lines.add(`add element ${name} {`);
      for (const block of blocks.slice(at, at + ELEMENTS_AT_ONCE))
        lines.add(`${blockText(block)},${input.annotate ? ` # ${annotationOf(block.entry)}` : ''}`);
      lines.add('}');
    }
  }
  return { body: lines.end(), entries: v4.length + v6.length, left };
}

/** `maxelem` of an ipset. A full set refuses entries, and with a changed value an existing set refuses the reload. */
const IPSET_ROOM = 4_194_304;

/** Fills a second set and swaps it with the one in use, so that a reload never leaves a moment without a list. */
function renderIpset(input: RenderInput): Rendered {
  const { v4, v6, left } = unionOf(input.entries);
  const lines = new LineSink();
  let entries = 0;
  for (const [blocks, family] of [
    [v4, 4],
    [v6, 6],
  ] as const) {
    // A set of type hash:net cannot hold a prefix of length 0, and a set name has at most 31 characters.
    const kept = blocks.filter(({ bits }) => bits > 0);
    entries += kept.length;
    const name = `assay-${input.label}-v${family}`;
    const shape = `hash:net family ${family === 4 ? 'inet' : 'inet6'} hashsize 1024 maxelem ${IPSET_ROOM}`;
    lines.add(`create ${name} ${shape} -exist`);
    lines.add(`create ${name}-x ${shape} -exist`);
    lines.add(`flush ${name}-x`);
    for (const block of kept) {
      if (input.annotate) lines.add(`# ${annotationOf(block.entry)}`);
      lines.add(`add ${name}-x ${blockText(block)}`);
    }
    lines.add(`swap ${name}-x ${name}`);
    lines.add(`destroy ${name}-x`);
  }
  return { body: lines.end(), entries, left: left + v4.length + v6.length - entries };
}

/** Up to this many rules a list is a single chain, because comparing with all of them is still cheap. */
const CHAIN_MAX = 64;
/** The leading bits by which a longer list is divided: 256 chains of IPv4, and about as many of IPv6 as are in use. */
const DIVIDING_BITS = { 4: 8, 6: 20 } as const;

/**
 * Two levels of chains for iptables-restore, because iptables itself has no sets: one chain of 222,667 rules would compare
 * every packet with all of them. Not more levels: iptables over nf_tables took 261 s for 3,900 chains of 64 rules, and
 * 7 s for 223 chains of 1,000.
 */
function renderIptables(input: RenderInput, family: 4 | 6): Rendered {
  const { v4, v6, left } = unionOf(input.entries);
  const blocks = family === 4 ? v4 : v6;
  const depth = DIVIDING_BITS[family];
  const root = `ASSAY-${input.label.toUpperCase()}`;
  const chains = [root];
  const rules = new LineSink();
  const drop = (chain: string, inside: readonly AddressBlock[]): void => {
    for (const block of inside) {
      if (input.annotate) rules.add(`# ${annotationOf(block.entry)}`);
      rules.add(`-A ${chain} -s ${blockText(block)} -j DROP`);
    }
  };
  const isShort = blocks.length <= CHAIN_MAX;
  drop(root, isShort ? blocks : blocks.filter(({ bits }) => bits < depth));
  const shift = BigInt((family === 4 ? 32 : 128) - depth);
  const narrow = isShort ? [] : blocks.filter(({ bits }) => bits >= depth);
  // Part of the list's name goes into each chain, so that two lists share none; a chain name has at most 28 characters.
  const mark = input.label.replace(/^ips-/, '').slice(0, 4).toUpperCase();
  for (const [part, members] of Map.groupBy(narrow, ({ start }) => start >> shift)) {
    const chain = `ASSAY-${mark}-${part.toString(16)}`;
    const source = addressText({ version: family, start: part << shift });
    chains.push(chain);
    rules.add(`-A ${root} -s ${source}/${depth} -j ${chain}`);
    drop(chain, members);
  }
  const head = ['*filter', ...chains.map((chain) => `:${chain} - [0:0]`), ''].join('\n');
  const body = Buffer.concat([Buffer.from(head), rules.end(), Buffer.from('COMMIT\n')]);
  return { body, entries: blocks.length, left: left + v4.length + v6.length - blocks.length };
}

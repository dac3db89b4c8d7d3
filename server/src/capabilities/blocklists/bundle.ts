import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { z } from 'zod';
import { encodeBytes } from './encode-bytes.ts';
import { LineSink } from './formats/line-sink.ts';
import type { ListEntry } from './list-entry.ts';
import { sampleOf } from './sample.ts';

export const VARIANTS = ['full', 'sample'] as const;
export type Variant = (typeof VARIANTS)[number];

const Part = z.object({ offset: z.int(), bytes: z.int(), sha256: z.string().length(64) });
const VariantHead = z.object({
  lines: z.int(),
  modifiedAtMs: z.number(),
  identity: Part,
  gzip: Part,
  zstd: Part,
});
const Head = z.object({
  builtAtMs: z.number(),
  full: VariantHead,
  sample: VariantHead,
  entries: Part,
});
export type BundleHead = z.output<typeof Head>;
export type BundlePart = z.output<typeof Part>;

/** The head is one line of JSON, padded to this length; the parts follow. */
const HEAD_BYTES = 4_096;

export type Bundle = { readonly head: BundleHead; readonly parts: readonly Buffer[] };

/**
 * One file for one version of one list: both variants in every encoding, and the entries with their scores, from which
 * other formats are rendered. As one file it is stored, fetched and replaced whole, so that a download is one version.
 */
export async function packBundle(
  entries: readonly ListEntry[],
  nowMs: number,
  before: BundleHead | null,
): Promise<Bundle> {
  const parts: Buffer[] = [];
  let offset = HEAD_BYTES;
  const add = (bytes: Buffer): BundlePart => {
    const part = { offset, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
    parts.push(bytes);
    offset += bytes.length;
    return part;
  };
  const variant = async (lines: readonly ListEntry[], old: BundleHead['full'] | undefined) => {
    const text = textOf(lines);
    const identity = add(text);
    return {
      lines: lines.length,
      modifiedAtMs: old?.identity.sha256 === identity.sha256 ? old.modifiedAtMs : nowMs,
      identity,
      gzip: add(await encodeBytes(text, 'gzip')),
      zstd: add(await encodeBytes(text, 'zstd')),
    };
  };
  const full = await variant(entries, before?.full);
  const sample = await variant(sampleOf(entries), before?.sample);
  const head = { builtAtMs: nowMs, full, sample, entries: add(packEntries(entries)) };
  const line = Buffer.alloc(HEAD_BYTES, ' ');
  line.write(JSON.stringify(head));
  return { head, parts: [line, ...parts] };
}

export const isSameContent = (a: BundleHead, b: BundleHead): boolean =>
  a.full.identity.sha256 === b.full.identity.sha256 && a.entries.sha256 === b.entries.sha256;

export async function readBundleHead(path: string): Promise<BundleHead> {
  return Head.parse(JSON.parse((await readSlice(path, { offset: 0, bytes: HEAD_BYTES })).toString()));
}

export async function readSlice(
  path: string,
  { offset, bytes }: Pick<BundlePart, 'offset' | 'bytes'>,
): Promise<Buffer> {
  const file = await open(path);
  try {
    const slice = Buffer.alloc(bytes);
    const { bytesRead } = await file.read(slice, 0, bytes, offset);
    if (bytesRead !== bytes) throw new Error(`A list file ends at ${offset + bytesRead}; it is damaged.`);
    return slice;
  } finally {
    await file.close();
  }
}

function textOf(entries: readonly ListEntry[]): Buffer {
  const lines = new LineSink();
  for (const { value } of entries) lines.add(value);
  return lines.end();
}

/** Tab-separated: value, score, family, reason. Tabs and line ends of foreign text become blanks. */
function packEntries(entries: readonly ListEntry[]): Buffer {
  const lines = new LineSink();
  for (const { value, score, family, reason } of entries)
    lines.add(`${value}\t${score}\t${oneLine(family ?? '')}\t${oneLine(reason)}`);
  return lines.end();
}

const TEXT_MAX = 400;
const oneLine = (text: string): string => text.slice(0, TEXT_MAX).replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');

export function unpackEntries(packed: Buffer): readonly ListEntry[] {
  const entries: ListEntry[] = [];
  for (let at = 0; at < packed.length; ) {
    const end = packed.indexOf(0x0a, at);
    const [value = '', score = '0', family = '', reason = ''] = packed.toString('utf8', at, end).split('\t');
    entries.push({ value, score: Number(score), family: family === '' ? null : family, reason });
    at = end + 1;
  }
  return entries;
}

export const linesOf = (text: Buffer): readonly string[] => text.toString().split('\n').slice(0, -1);

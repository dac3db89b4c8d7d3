import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import {
  type GroupProfile,
  type Post,
  type PressEntry,
  type ReadRows,
  readGalaxy,
  readGangTable,
  readGroupList,
  readPostList,
  readPostTable,
  readPress,
} from '#domain/ransomware/index.ts';
import { sha256Of } from '#platform/sha256.ts';
import type { RansomwareSource } from '../sources.ts';
import { RefusedContent } from './refused-content.ts';

const BYTES_MAX = 256 * 1024 * 1024;
const unpack = promisify(gunzip);

export type Content =
  | ({ readonly holds: 'posts' } & ReadRows<Post>)
  | ({ readonly holds: 'groups' } & ReadRows<GroupProfile>)
  | ({ readonly holds: 'press' } & ReadRows<PressEntry>);

export type SourceFile = {
  readonly label: string;
  /** Plain or gzip. */
  readonly bytes: Uint8Array;
  readonly dataAtMs: number;
};

export type UnpackedFile = { readonly text: string; readonly sha256: string };

/** The digest is that of the unpacked bytes: the same content packed again is the same content. */
export async function unpackFile({ label, bytes }: SourceFile): Promise<UnpackedFile> {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const plain = isPacked
    ? await unpack(bytes, { maxOutputLength: BYTES_MAX }).catch(() => {
        throw new RefusedContent(`${label} cannot be unpacked, or is larger than ${BYTES_MAX} bytes.`);
      })
    : bytes;
  return { text: Buffer.from(plain).toString('utf8'), sha256: sha256Of(plain) };
}

const REFUSED_SHARE_MAX = 0.2;

/** Throws a RefusedContent for a file that is not what the source publishes; nothing is written then. */
export function readContent(source: RansomwareSource, text: string, dataAtMs: number): Content {
  const content = read(source, text, dataAtMs);
  const refused = Object.values(content.refused).reduce((sum, each) => sum + each, 0);
  if (content.rows.length < source.rowsMin)
    throw new RefusedContent(
      `${content.rows.length} usable rows are fewer than the ${source.rowsMin} that this source is known to have.`,
    );
  if (refused > content.rows.length * REFUSED_SHARE_MAX)
    throw new RefusedContent(`${refused} of ${refused + content.rows.length} rows cannot be used.`);
  return content;
}

function read({ format }: RansomwareSource, text: string, dataAtMs: number): Content {
  switch (format) {
    case 'post-list':
      return { holds: 'posts', ...readPostList(jsonOf(text)) };
    case 'post-table':
      return { holds: 'posts', ...readPostTable(text) };
    case 'group-list':
      return { holds: 'groups', ...readGroupList(jsonOf(text)) };
    case 'gang-table':
      return { holds: 'groups', ...readGangTable(text, dataAtMs) };
    case 'galaxy':
      return { holds: 'groups', ...readGalaxy(jsonOf(text)) };
    case 'press':
      return { holds: 'press', ...readPress(jsonOf(text)) };
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RefusedContent('It is not JSON, or ends in the middle.');
  }
}

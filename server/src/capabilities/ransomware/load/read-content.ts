import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { GateError, type SnapshotCounts } from '#capabilities/lists/index.ts';
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
import { DAY_MS } from '#platform/time-units.ts';

/** File formats of trackers; each has a reader in `domain/ransomware/readers`. */
export type Format = 'post-list' | 'post-table' | 'group-list' | 'gang-table' | 'galaxy' | 'press';

export type Content = (
  | ({ readonly holds: 'posts' } & ReadRows<Post>)
  | ({ readonly holds: 'groups' } & ReadRows<GroupProfile>)
  | ({ readonly holds: 'press' } & ReadRows<PressEntry>)
) & { readonly counts: SnapshotCounts };

const BYTES_MAX = 256 * 1024 * 1024;
const REFUSED_SHARE_MAX = 0.2;
const unpack = promisify(gunzip);

/** Dates up to a day ahead are accepted, because a tracker may use another time zone. */
const AHEAD_MAX_MS = DAY_MS;

type Dates = { readonly dataAtMs: number; readonly nowMs: number };

/** Throws a GateError for a file that cannot be read. A file may be packed with gzip. */
export async function readContent(format: Format, path: string, dates: Dates): Promise<Content> {
  const bytes = await readFile(path);
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const plain = isPacked
    ? await unpack(bytes, { maxOutputLength: BYTES_MAX }).catch(() => {
        throw new GateError('archive', 'The file cannot be unpacked, or is too large when it is.', false);
      })
    : bytes;
  const content = read(format, plain.toString('utf8'), dates);
  return { ...content, counts: countsOf(content, plain.length) };
}

/** Throws a GateError if more than a fifth of the rows cannot be used, because it is then probably the wrong file. */
export function judgeRows({ counts }: Pick<Content, 'counts'>): void {
  if (counts.rejected <= counts.lines * REFUSED_SHARE_MAX) return;
  const [worst] = counts.reasons.toSorted((a, b) => b.count - a.count);
  throw new GateError(
    'rejects',
    `${counts.rejected} of ${counts.lines} rows cannot be used (most often: ${worst?.reason ?? ''}). Compare the file with the page of the publisher; release it if it is right.`,
    true,
    counts,
  );
}

function read(format: Format, text: string, { dataAtMs, nowMs }: Dates) {
  switch (format) {
    case 'post-list':
      return {
        holds: 'posts' as const,
        ...untilNow(readPostList(jsonOf(text)), postedAt, nowMs),
      };
    case 'post-table':
      return {
        holds: 'posts' as const,
        ...untilNow(readPostTable(text), postedAt, nowMs),
      };
    case 'group-list':
      return { holds: 'groups' as const, ...readGroupList(jsonOf(text)) };
    case 'gang-table':
      return { holds: 'groups' as const, ...readGangTable(text, dataAtMs) };
    case 'galaxy':
      return { holds: 'groups' as const, ...readGalaxy(jsonOf(text)) };
    case 'press':
      return {
        holds: 'press' as const,
        ...untilNow(readPress(jsonOf(text)), toldAt, nowMs),
      };
  }
}

const postedAt = ({ discoveredAtMs }: Post): number => discoveredAtMs;
const toldAt = ({ publishedAtMs }: PressEntry): number => publishedAtMs;

/** Refuses rows dated in the future, because such a claim would be shown as the newest one until that date. */
function untilNow<Row>(
  { rows, refused }: ReadRows<Row>,
  atMs: (row: Row) => number,
  nowMs: number,
): ReadRows<Row> {
  const kept = rows.filter((row) => atMs(row) <= nowMs + AHEAD_MAX_MS);
  const ahead = rows.length - kept.length;
  return { rows: kept, refused: ahead === 0 ? refused : { ...refused, 'date in the future': ahead } };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new GateError('wrong-format', 'The file is not JSON, or ends in the middle.', false);
  }
}

function countsOf({ rows, refused }: ReadRows<unknown>, bytes: number): SnapshotCounts {
  const rejected = Object.values(refused).reduce((sum, each) => sum + each, 0);
  return {
    lines: rows.length + rejected,
    accepted: rows.length,
    rejected,
    unsupported: 0,
    disposed: 0,
    reasons: Object.entries(refused).map(([reason, count]) => ({
      kind: 'rejected' as const,
      reason,
      count,
      example: '',
    })),
    declaredDateMs: null,
    bytes,
  };
}

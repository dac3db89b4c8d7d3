import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { parseIndicator } from '#domain/indicator/index.ts';
import { sha256OfFile } from '#platform/sha256.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { SeenHosts } from './seen-hosts.ts';

/** A host that people visit, in its canonical spelling and without `www.` before it. */
export type VisitedHost = {
  readonly host: string;
  /** The registrable domain of the host. */
  readonly registrable: string;
  /** The first day on which it was visited, in days since the epoch; null: many clients visit it, so the day does not matter. */
  readonly firstDay: number | null;
};

export type ReferenceFile = {
  readonly id: string;
  /** The hosts in batches, each host once. */
  readonly batches: (size: number) => AsyncGenerator<readonly VisitedHost[]>;
  /** The distinct hosts that were read so far. */
  readonly size: () => number;
};

/** The file of REFERENCE_HOSTS_FILE is missing or is no list of hosts. */
export class RefusedReference extends Error {}

const CLIENTS_MIN = 10;
const HOSTS_MAX = 10_000_000;
const LINE_MAX = 1_024;
const REFUSED_SHARE_MAX = 0.1;
const ID_DIGITS = 8;
const GZIP = Buffer.from([0x1f, 0x8b]);
const WWW = 'www.';

/**
 * Opens a file of visited hosts: plain text or gzip, one host a line, then tab-separated in any order the number of clients
 * that visited it and the first day (`YYYY-MM-DD`). A line without a number says that at least 10 clients did, unless it
 * has a day. A host of fewer clients and without a day counts nowhere.
 */
export async function openReferenceFile(path: string, signal?: AbortSignal): Promise<ReferenceFile> {
  const isPacked = await startsWithGzip(path);
  const { sha256 } = await sha256OfFile(path, signal);
  const seen = new SeenHosts();
  return {
    id: `own-${sha256.slice(0, ID_DIGITS)}`,
    size: () => seen.size,
    batches: (size) => inBatches(hostsOf(path, isPacked, seen, signal), size),
  };
}

async function startsWithGzip(path: string): Promise<boolean> {
  try {
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(GZIP.length), 0, GZIP.length, 0);
      return bytesRead === GZIP.length && buffer.equals(GZIP);
    } finally {
      await file.close();
    }
  } catch (error) {
    const { code = 'unknown error' } = error as { readonly code?: string };
    throw new RefusedReference(`REFERENCE_HOSTS_FILE names ${path}, which cannot be read (${code}).`);
  }
}

async function* hostsOf(
  path: string,
  isPacked: boolean,
  seen: SeenHosts,
  signal: AbortSignal | undefined,
): AsyncGenerator<VisitedHost> {
  const file = createReadStream(path, { ...(signal && { signal }) });
  const lines = createInterface({ input: isPacked ? file.pipe(createGunzip()) : file });
  let [read, refused] = [0, 0];
  for await (const line of lines) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    read += 1;
    const visited = line.length > LINE_MAX ? null : readLine(line);
    if (visited === null) refused += 1;
    else if (visited !== 'skipped' && seen.add(visited.host)) yield visited;
    if (seen.size > HOSTS_MAX)
      throw new RefusedReference(`REFERENCE_HOSTS_FILE has more than ${HOSTS_MAX} hosts.`);
  }
  if (refused > read * REFUSED_SHARE_MAX)
    throw new RefusedReference(
      `${refused} of ${read} lines of REFERENCE_HOSTS_FILE hold no hostname. Write one host on each line.`,
    );
}

/**
 * Null: the line holds no host. `skipped`: a public suffix, or a host that fewer than 10 clients visited and of which nothing
 * says since when.
 */
export function readLine(line: string): VisitedHost | 'skipped' | null {
  const [text = '', ...facts] = line.split('\t').map((field) => field.trim());
  const parsed = parseIndicator(text);
  if (!parsed.ok || parsed.indicator.kind !== 'domain') return null;
  const clients = facts.find((fact) => /^\d{1,12}$/.test(fact));
  const day = facts.find((fact) => /^\d{4}-\d{2}-\d{2}$/.test(fact));
  const firstDay = day === undefined ? null : Date.parse(day) / DAY_MS;
  if (Number.isNaN(firstDay)) return null;
  const { value, registrable } = parsed.indicator;
  if (registrable === null) return 'skipped';
  const isBelow = value.startsWith(WWW) && value.length - WWW.length >= registrable.length;
  const host = isBelow ? value.slice(WWW.length) : value;
  const isOfMany = clients === undefined ? firstDay === null : Number(clients) >= CLIENTS_MIN;
  if (isOfMany) return { host, registrable, firstDay: null };
  return firstDay === null ? 'skipped' : { host, registrable, firstDay };
}

async function* inBatches(
  hosts: AsyncGenerator<VisitedHost>,
  size: number,
): AsyncGenerator<readonly VisitedHost[]> {
  let batch: VisitedHost[] = [];
  for await (const host of hosts) {
    batch.push(host);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { badRequest } from '#platform/errors.ts';

/** The first sighting of each value in milliseconds; values without a date are left out. */
export type Sightings = ReadonlyMap<string, number>;

const VALUES_MAX = 5_000_000;
const LINE_CHARS_MAX = 65_536;
/** A port is not part of a listed value: `192.0.2.1:8080` lists the address. */
const PORT = /:\d{1,5}$/;

/** Null when the file does not exist. Later dates are cut to `latestMs`, and then all are shifted by `rebaseMs`. */
export async function readHistory(
  path: string,
  { latestMs, rebaseMs }: { readonly latestMs: number; readonly rebaseMs: number },
): Promise<Sightings | null> {
  try {
    await access(path);
  } catch {
    return null;
  }
  const history = new History();
  try {
    await pipeline(createReadStream(path), createGunzip(), (bytes) => history.take(bytes));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw badRequest(`'${path}' is not a readable history (${String(error.code)}).`);
  }
  return history.sightings((ms) => Math.min(ms, latestMs) + rebaseMs);
}

const UNDATED = -1;

class History {
  readonly #startsMs = new Map<string, number>();
  #rest = '';

  async take(pieces: AsyncIterable<Buffer>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const piece of pieces) this.#split(decoder.decode(piece, { stream: true }));
    this.#split(`${decoder.decode()}\n`);
  }

  sightings(turn: (ms: number) => number): Sightings {
    for (const [value, ms] of this.#startsMs)
      if (ms === UNDATED) this.#startsMs.delete(value);
      else this.#startsMs.set(value, turn(ms));
    return this.#startsMs;
  }

  #split(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    if (this.#rest.length > LINE_CHARS_MAX) throw badRequest('A line of the history is too long.');
    for (const line of lines) this.#line(line);
  }

  /** Reads a value and its periods; the start of the last period says since when the value is listed. */
  #line(line: string): void {
    const tab = line.indexOf('\t');
    if (tab <= 0) return;
    const raw = line.slice(0, tab);
    const period = line.lastIndexOf(',') + 1 || tab + 1;
    const startMs = line.charAt(period) === '/' ? UNDATED : Date.parse(line.slice(period, period + 10));
    if (Number.isNaN(startMs)) return;
    const value = listedText(raw);
    // Most values have neither a date nor a second spelling, so they are left out to save memory.
    if (startMs === UNDATED && value === raw && !this.#startsMs.has(value) && !IS_ADDRESS.test(raw)) return;
    const known = this.#startsMs.get(value);
    if (known === undefined && this.#startsMs.size >= VALUES_MAX)
      throw badRequest('The history holds too many values.');
    // One address with several ports is listed since the first of them.
    this.#startsMs.set(value, known === undefined ? startMs : Math.min(known, startMs));
  }
}

const IS_ADDRESS = /^[\d.]+$/;

/** The text of the listed value. A path without a host is no value. */
function listedText(raw: string): string {
  if (raw.includes('/')) return raw.includes('://') ? raw : `http://${raw}`;
  return PORT.test(raw) ? raw.replace(PORT, '') : raw;
}

import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import { suspicionOf } from '../../server/src/app/weights-deps.ts';
import { learnWeights } from '../../server/src/capabilities/weights/learn-weights.ts';
import {
  type Learned,
  type LearnedTable,
  pointsOfShare,
  type WeightBook,
  weightBookOf,
} from '../../server/src/domain/weights/index.ts';
import { createArtifacts } from '../../server/src/platform/artifacts.ts';
import { systemClock } from '../../server/src/platform/clock.ts';
import { createLog } from '../../server/src/platform/log.ts';
import type { Postgres } from '../../server/src/platform/postgres.ts';
import { visitedHosts } from './evaluation-data.ts';
import { readSignals } from './kept-signals.ts';

/** All visited hosts, or the half of them whose CRC32 has this lowest bit. */
export type Half = 'all' | 0 | 1;

export const isIn = (half: Half, host: string): boolean => half === 'all' || (crc32(host) & 1) === half;

/**
 * Learns from the imported data set as the worker would on the last day of the data, with visited hosts as the reference. The
 * counts take effect at once.
 */
export async function learnOn(
  half: Half,
  given: {
    readonly system: Postgres;
    readonly data: string;
    readonly dataDir: string;
    readonly nowMs: number;
  },
): Promise<LearnedTable> {
  const { system, data, dataDir, nowMs } = given;
  const referenceFile = join(dataDir, `visited-${half}.txt`);
  await pipeline(Readable.from(linesOf(half, data)), createWriteStream(referenceFile));
  const [clock, log] = [{ ...systemClock(), now: () => nowMs }, createLog('silent')];
  const artifacts = createArtifacts({ postgres: system, dataDir, log, clock });
  const signals = await readSignals(dataDir);
  const openSuspicion = async () => suspicionOf(signals);
  return atOnce(
    await learnWeights({ system, clock, log, artifacts, referenceFile, openSuspicion }, { isDryRun: true }),
  );
}

async function* linesOf(half: Half, data: string): AsyncGenerator<string> {
  for await (const host of visitedHosts(data)) if (isIn(half, host)) yield `${host}\n`;
}

/** The table with the shares that the counts say, without the steps of the nights. */
const atOnce = ({ table, targets }: Learned): LearnedTable => ({
  ...table,
  cells: table.cells.map((cell) => {
    const f = targets.get(`${cell.source} ${cell.group}`) ?? cell.f;
    return { ...cell, f, points: Math.round(pointsOfShare(f)) };
  }),
});

export const bookOf = (table: LearnedTable): WeightBook => weightBookOf(table, '00000001');

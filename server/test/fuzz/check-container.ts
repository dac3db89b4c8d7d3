import { writeFileSync } from 'node:fs';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { readSnapshotFile } from '#capabilities/lists/containers/read-snapshot-file.ts';
import { GateError } from '#capabilities/lists/index.ts';
import { makeTar, makeZip } from '#test/archives.ts';
import type { Random } from './fuzz-random.ts';

const BYTES_MAX = 4 * 1024 ** 2;
/** CPU time, for at most 4 MiB unpacked. */
const MS_MAX = 1_000;

export function makeArchive(texts: readonly string[], random: Random): Buffer {
  const members = Array.from({ length: random.nat(4) }, (_, i) => ({
    path: `${'folder/'.repeat(random.nat(30))}${i}.txt`,
    content: random.pick(texts),
  }));
  const text = random.pick(texts);
  const archive = random.pick([
    () => Buffer.from(text),
    () => gzipSync(text),
    () => Buffer.concat([gzipSync(text), gzipSync(random.pick(texts))]),
    () => zstdCompressSync(text),
    () => makeTar(members, { long: random.pick(['pax', 'gnu']) }),
    () => gzipSync(makeTar(members)),
    () => zstdCompressSync(makeTar(members)),
    () => makeZip(members, { method: random.pick(['stored', 'deflated']), descriptor: random.chance(0.3) }),
  ])();
  return damage(archive, random);
}

function damage(bytes: Buffer, random: Random): Buffer {
  let current = Buffer.from(bytes);
  for (let i = random.nat(5); i > 0 && current.length > 0; i--) {
    const at = random.nat(current.length);
    const kind = random.nat(4);
    if (kind === 0) current[at] = random.nat(256);
    else if (kind === 1) current = current.subarray(0, at);
    else if (kind === 2)
      current = Buffer.concat([current.subarray(0, at), current.subarray(at + random.nat(64))]);
    // Sizes and offsets are near the ends, where a wrong value does the most damage.
    else current.fill(random.pick([0, 0x7f, 0xff]), Math.max(0, current.length - 1 - random.nat(64)));
  }
  return current;
}

/** A damaged archive may only cause a GateError. */
export async function checkContainer(path: string, bytes: Buffer): Promise<string | null> {
  writeFileSync(path, bytes);
  const start = process.cpuUsage();
  let chars = 0;
  try {
    await readSnapshotFile(
      path,
      { bytesMax: BYTES_MAX },
      {
        member: () => true,
        text: (piece) => {
          chars += piece.length;
        },
        memberEnd: () => undefined,
      },
    );
  } catch (error) {
    if (!(error instanceof GateError)) return `threw ${String(error)}`;
  }
  if (chars > BYTES_MAX) return `gave ${chars} characters over a cap of ${BYTES_MAX}`;
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000 > MS_MAX ? `took more than ${MS_MAX} ms` : null;
}

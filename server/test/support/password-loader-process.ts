import { readFileSync } from 'node:fs';
import { loadPasswords } from '#capabilities/passwords/index.ts';

/**
 * A load in a process of its own, which a test can kill or measure: dataDir, type, first and last prefix (numbers), paths.
 * Sends its progress, then what it loaded and what it cost.
 */
const [dataDir = '', type = '', first = '', last = '', ...paths] = process.argv.slice(2);
const startedMs = performance.now();
let verifyingMs = 0;
let ownKb = 0;
/** Anonymous memory only: the system takes back the pages of the mapped file when it needs them. */
const readOwnKb = (): number =>
  Number(/RssAnon:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'latin1'))?.[1] ?? 0);
const loaded = await loadPasswords({
  dataDir,
  paths,
  type: type === 'ntlm' ? 'ntlm' : 'sha1',
  partial: { first: Number(first), last: Number(last) },
  dataAtMs: Date.UTC(2026, 7, 22),
  nowMs: Date.UTC(2026, 7, 23),
  onProgress: ({ step, done, total }) => {
    ownKb = Math.max(ownKb, readOwnKb());
    if (step === 'verifying' && verifyingMs === 0) verifyingMs = performance.now();
    process.send?.({ step, share: done / total });
  },
});
const { userCPUTime, systemCPUTime } = process.resourceUsage();
process.send?.({
  loaded,
  seconds: (performance.now() - startedMs) / 1_000,
  verifySeconds: (performance.now() - verifyingMs) / 1_000,
  cpuSeconds: (userCPUTime + systemCPUTime) / 1e6,
  memoryMb: ownKb / 1_024,
});
process.disconnect?.();

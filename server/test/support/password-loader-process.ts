import { loadPasswords } from '#capabilities/passwords/index.ts';

/**
 * A load in a process of its own, which a test can kill or measure: dataDir, type, first and last prefix (numbers), paths.
 * Sends its progress, then what it loaded and what it cost.
 */
const [dataDir = '', type = '', first = '', last = '', ...paths] = process.argv.slice(2);
const startedMs = performance.now();
let verifyingMs = 0;
const loaded = await loadPasswords({
  dataDir,
  paths,
  type: type === 'ntlm' ? 'ntlm' : 'sha1',
  partial: { first: Number(first), last: Number(last) },
  dataAtMs: Date.UTC(2026, 7, 22),
  nowMs: Date.UTC(2026, 7, 23),
  onProgress: ({ step, done, total }) => {
    if (step === 'verifying' && verifyingMs === 0) verifyingMs = performance.now();
    process.send?.({ step, share: done / total });
  },
});
const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
process.send?.({
  loaded,
  seconds: (performance.now() - startedMs) / 1_000,
  verifySeconds: (performance.now() - verifyingMs) / 1_000,
  cpuSeconds: (userCPUTime + systemCPUTime) / 1e6,
  memoryMb: maxRSS / 1_024,
});
process.disconnect?.();

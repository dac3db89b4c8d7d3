import { isFresh } from './corpus-facts.ts';
import type { Findings } from './findings.ts';
import type { Verdict } from './verdict.ts';

/**
 * Only scanner-type sources are engines (G55, ruling 6). `malicious`: they name the value itself now. `suspicious`:
 * they name its host or range, dropped it, or named it too long ago. `undetected`: loaded without a listing, or with
 * one of a neighbour. `harmless` stays 0, because no list declares a value clean.
 */
export function reputationOf({ of, scored }: Findings): Verdict['reputation'] {
  if (of.context.isReserved) return { malicious: 0, suspicious: 0, harmless: 0, undetected: 0 };
  const { detecting, suspecting } = scored.engines;
  const heard = [...detecting, ...suspecting].filter(({ source }) => isFresh(source, of.nowH)).length;
  return {
    malicious: detecting.length,
    suspicious: suspecting.length,
    harmless: 0,
    undetected: Math.max(0, of.corpus.freshScanners - heard),
  };
}

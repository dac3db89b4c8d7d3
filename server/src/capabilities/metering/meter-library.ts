import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Of } from '#platform/sha256.ts';

const SOURCE = readFileSync(join(import.meta.dirname, 'meter.lua'), 'utf8');
/** Named by the hash of its content, so that processes of two releases can run side by side during an upgrade. */
const VERSION = sha256Of(SOURCE).slice(0, 8);

export const METER_LIBRARY = SOURCE.replaceAll('VERSION', VERSION);

export const METER_FUNCTIONS = {
  meter: `assay_meter_${VERSION}`,
  settle: `assay_settle_${VERSION}`,
  refund: `assay_refund_${VERSION}`,
  guard: `assay_guard_${VERSION}`,
  release: `assay_release_${VERSION}`,
  heartbeat: `assay_heartbeat_${VERSION}`,
} as const;

/** The first number of an answer; the same numbers are at the top of meter.lua. */
export const OUTCOME = {
  granted: 0,
  burstSpent: 1,
  monthSpent: 2,
  settleFirst: 3,
  otherMonth: 4,
} as const;

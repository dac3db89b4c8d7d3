import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCE = readFileSync(join(import.meta.dirname, 'meter.lua'), 'utf8');
/** Named after its content, so that processes of two releases can work side by side during an upgrade. */
const VERSION = createHash('sha256').update(SOURCE).digest('hex').slice(0, 8);

export const METER_LIBRARY = SOURCE.replaceAll('VERSION', VERSION);

export const METER_FUNCTIONS = {
  meter: `assay_meter_${VERSION}`,
  settle: `assay_settle_${VERSION}`,
  refund: `assay_refund_${VERSION}`,
  guard: `assay_guard_${VERSION}`,
  heartbeat: `assay_heartbeat_${VERSION}`,
} as const;

/** What the Function answered first: the same numbers stand at the top of meter.lua. */
export const OUTCOME = {
  granted: 0,
  burstSpent: 1,
  monthSpent: 2,
  settleFirst: 3,
  otherMonth: 4,
} as const;

import type { AlertMail } from '../../server/src/capabilities/alerts/index.ts';
import { openLetters } from '../../server/src/capabilities/letters/index.ts';
import type { Clock } from '../../server/src/platform/clock.ts';
import { type ReaderSpec, readDurably } from '../../server/src/platform/events.ts';
import type { Seeding } from './seeding.ts';

const NEVER_MS = 3_600_000;

/** Lets each reader in turn handle every event so far, as the worker does all the time. */
export async function handleEvents(
  { system, log }: Pick<Seeding, 'system' | 'log'>,
  readers: readonly ReaderSpec[],
): Promise<void> {
  for (const spec of readers) {
    // A reader with a new name would otherwise begin with the events after its first start.
    const reader = readDurably({ postgres: system, log, pollMs: NEVER_MS }, { ...spec, from: 'start' });
    try {
      await reader.flush();
    } finally {
      await reader.stop();
    }
  }
}

export const alertMail = ({ config }: Pick<Seeding, 'config'>, clock: Clock): AlertMail => ({
  letters: openLetters({ config, clock }),
  publicWebUrl: config.PUBLIC_WEB_URL,
});

import { runSource } from '../../server/src/capabilities/feeds/index.ts';
import { systemClock } from '../../server/src/platform/clock.ts';
import { createOutbound } from '../../server/src/platform/outbound.ts';
import { DemoError } from '../cli-options.ts';
import { editionsOf } from '../sample/history.ts';
import { LISTED_TODAY } from '../sample/organization.ts';
import { startPublisher } from '../sample/publisher.ts';
import { SOURCES } from '../sample/sources.ts';
import { rowOf } from '../seed.ts';
import type { Seeding } from './seeding.ts';

/** Publishes and fetches one more edition of some lists, in which they list values that the organization watches. */
export async function publishToday({ system, log, config, todayMs }: Seeding): Promise<void> {
  const publisher = await startPublisher();
  const clock = systemClock();
  const outbound = createOutbound({ log, clock, allow: [publisher.allow] });
  const lists = SOURCES.filter(({ id }) => LISTED_TODAY.some(({ source }) => source === id));
  const catalogue = lists.map((source) => rowOf(source, publisher));
  const deps = { system, clock, log, outbound, dataDir: config.DATA_DIR, keys: () => undefined, catalogue };
  try {
    for (const source of lists) {
      const added = LISTED_TODAY.flatMap((each) => (each.source === source.id ? [each.text] : []));
      const body = `${editionsOf(source, todayMs).at(-1)?.text ?? ''}${added.join('\n')}\n`;
      publisher.publish(source.id, { body, type: 'text/plain; charset=utf-8', modifiedMs: clock.now() });
      const { status, reason } = await runSource(deps, source.id);
      if (status !== 'succeeded') throw new DemoError(`'${source.id}' was not taken: ${reason ?? status}`);
    }
  } finally {
    await outbound.close();
    await publisher.close();
  }
}

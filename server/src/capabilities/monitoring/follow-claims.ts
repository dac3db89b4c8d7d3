import { createKeyWriter } from '#capabilities/corpus/index.ts';
import { NewClaim } from '#capabilities/ransomware/index.ts';
import type { ReaderSpec } from '#platform/events.ts';
import { deskForEvents, type RaiseDeps } from './desk.ts';
import { raise } from './recheck-targets.ts';
import { indicatorOf, reachOf } from './target.ts';
import { keysInReach, lockTargets, selectWatchers } from './target-store.ts';
import { claimAlert } from './word-alerts.ts';

const keyWriter = createKeyWriter();

/** A claim about a domain concerns everything that is watched on it or below it. */
export const claimsReader = (deps: RaiseDeps): ReaderSpec => ({
  name: 'monitoring.claims',
  types: [NewClaim.name],
  handle: async (tx, events) => {
    const desk = deskForEvents(deps, events);
    for (const event of events) {
      const claim = NewClaim.schema.parse(event.payload);
      const victim = claim.domain === null ? null : indicatorOf(claim.domain);
      if (victim === null || victim.kind !== 'domain') continue;
      const keys = await keysInReach(tx, reachOf([Uint8Array.from(keyWriter.of(victim))]));
      if (keys.length === 0) continue;
      const targets = new Map((await lockTargets(tx, keys)).map((row) => [row.key.toString('latin1'), row]));
      const alerts = (await selectWatchers(tx, keys)).flatMap((watcher) => {
        const target = targets.get(watcher.key.toString('latin1'));
        return target === undefined
          ? []
          : [claimAlert({ ...watcher, entityType: target.entityType, value: target.value }, claim)];
      });
      await raise(tx, desk, alerts);
    }
  },
});

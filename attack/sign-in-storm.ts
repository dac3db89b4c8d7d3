import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack, Target } from './attack.ts';
import { inLanes } from './in-lanes.ts';
import { networkAddress, openClient, type PersonClient } from './person-client.ts';
import { personOf } from './person-of.ts';

/** 12 sign-ins a second from 48 addresses once made one right password in five 503; each address stays below its limit. */
const ADDRESSES = 400;
const A_SECOND = 100;
const MAILBOXES = 200;
const TICK_MS = 20;
const STORM_BLOCK = 50;
const KNOWN_BLOCK = 60;
const NEW_BLOCK = 70;
const KNOWN = 200;
/** Sign-ins that one person may make from known devices in an hour, less those of this attack before the storm. */
const KNOWN_PER_PERSON = 50;
const NEW = 100;
const NEW_ANSWERED_MIN = 0.95;

export const signInStorm: Attack = {
  name: 'sign-in-storm',
  finding: 'Sign-ins from many addresses, each within its limits, must not keep others from signing in.',
  needs: 'people',
  run: async (target) => {
    const people = target.people ?? [];
    const known = people
      .slice(0, KNOWN)
      .map((_, nth) =>
        openClient(target, { from: networkAddress(target, KNOWN_BLOCK, nth), keepsCookies: true }),
      );
    for (const [nth, device] of known.entries()) await device.signIn(personOf(target, nth));
    const storm = startStorm(target);
    try {
      await storm.hasBegun;
      const knownTimes = Math.min(KNOWN, people.length * KNOWN_PER_PERSON);
      const [ofKnown, ofNew] = await Promise.all([
        countAnswers('known devices', knownTimes, (nth) =>
          (known[nth % known.length] as PersonClient).signIn(personOf(target, nth)),
        ),
        countAnswers('new devices', NEW, async (nth) => {
          const device = openClient(target, {
            from: networkAddress(target, NEW_BLOCK, nth),
            keepsCookies: false,
          });
          const answer = await device.signIn(personOf(target, nth));
          device.close();
          return answer;
        }),
      ]);
      const figures = { ...ofKnown, ...ofNew, ...(await storm.end()) };
      return {
        held:
          figures['known devices answered 200'] === knownTimes &&
          (figures['new devices answered 200'] ?? 0) >= NEW * NEW_ANSWERED_MIN,
        figures,
      };
    } finally {
      await storm.end();
      for (const device of known) device.close();
    }
  },
};

/** Sends one request after another, so that each meets a queue that the storm has filled; counts the answers by status. */
async function countAnswers(
  who: string,
  times: number,
  send: (nth: number) => Promise<{ readonly status: number }>,
): Promise<Record<string, number>> {
  const figures: Record<string, number> = { [`${who} sent`]: times };
  await inLanes(times, 1, async (nth) => {
    const figure = `${who} answered ${(await send(nth)).status}`;
    figures[figure] = (figures[figure] ?? 0) + 1;
  });
  return figures;
}

/** Wrong passwords at a fixed rate, whether or not earlier ones were answered, until it is ended. */
function startStorm(target: Target) {
  const strangers = Array.from({ length: ADDRESSES }, (_, nth) =>
    openClient(target, { from: networkAddress(target, STORM_BLOCK, nth), keepsCookies: false }),
  );
  const figures: Record<string, number> = { 'storm sent': 0 };
  const { promise: hasBegun, resolve: begun } = Promise.withResolvers<void>();
  const pending = new Set<Promise<void>>();
  const answered = new Set<number>();
  let isOver = false;
  const sendOne = async (nth: number): Promise<void> => {
    // Another mailbox at each round, so that no limit of one mailbox and network ends the storm.
    const email = `storm${(nth + Math.floor(nth / ADDRESSES)) % MAILBOXES}@example.com`;
    const { status } = await (strangers[nth % ADDRESSES] as PersonClient).signIn({
      email,
      password: 'wrong password',
    });
    answered.add(nth % ADDRESSES);
    const figure = `storm answered ${status}`;
    figures[figure] = (figures[figure] ?? 0) + 1;
  };
  const run = async (): Promise<void> => {
    const startedMs = performance.now();
    for (let nth = 0; !isOver; ) {
      const due = ((performance.now() - startedMs) / 1_000) * A_SECOND * target.strength;
      for (; nth < due; nth += 1) {
        const sent = sendOne(nth).finally(() => pending.delete(sent));
        pending.add(sent);
      }
      figures['storm sent'] = nth;
      // Every address has had an answer, so that none of them is new any more.
      if (answered.size === ADDRESSES) begun();
      await sleep(TICK_MS);
    }
    await Promise.all(pending);
    for (const stranger of strangers) stranger.close();
  };
  const running = run();
  return {
    hasBegun,
    end: async () => {
      isOver = true;
      await running;
      return figures;
    },
  };
}

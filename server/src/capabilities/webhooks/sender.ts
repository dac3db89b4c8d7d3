import { setTimeout as sleep } from 'node:timers/promises';
import { judgeAttempt, type Next, type Place } from '#domain/webhooks/index.ts';
import type { Log } from '#platform/log.ts';
import { counter, gauge } from '#platform/metrics.ts';
import type { Postgres } from '#platform/postgres.ts';
import { endGone } from './end-endpoint.ts';
import {
  type Claim,
  claimAside,
  claimLanes,
  holdSender,
  type Registered,
  type Result,
  recordResults,
  releaseDead,
} from './lane-store.ts';
import { Places } from './places.ts';
import { type Sent, sendWebhook } from './send-webhook.ts';
import { VERIFICATION, VERIFICATION_RETRY_MS } from './verification.ts';
import { setVerified } from './verification-store.ts';
import type { WebhooksWorkerDeps } from './webhooks-deps.ts';

export type SenderDeps = Pick<WebhooksWorkerDeps, 'clock' | 'letters' | 'secrets' | 'outbound'> & {
  /** With the system role. Uses two connections: for statements, and for the lock that says this process lives. */
  readonly postgres: Postgres;
  readonly log: Log;
  readonly random?: () => number;
  readonly retryMs?: readonly number[];
  readonly placesMax?: number;
};

export type Sender = { readonly stop: () => Promise<void> };

const PLACES_MAX = 500;
const RESULTS_MAX = 500;
/** Longer than an attempt, so that no delivery is taken over while it is being sent. */
const LEASE_MS = 20_000;
/** If claiming took longer, for example because the process slept, it must not send: its lease may be over. */
const STALE_MS = 4_000;
const POLL_MS = 100;
const SWEEP_MS = 1_000;
const RETRY_MS = 500;

const attempts = counter({
  name: 'webhook_attempts_total',
  help: 'Attempts to deliver a webhook, by outcome.',
  labels: ['outcome'],
});
const flying = gauge({ name: 'webhook_in_flight', help: 'Webhooks that are being sent.' });
const lag = gauge({
  name: 'webhook_lag_seconds',
  help: 'Age of the oldest event that was sent for the first time in the last batch.',
});

/**
 * Sends deliveries until it is stopped; every worker runs one. One loop claims and records for all lanes, so that a busy
 * second costs a few statements and not one for each delivery.
 */
export function startSender(deps: SenderDeps): Sender {
  const stopping = new AbortController();
  const running = (async () => {
    while (!stopping.signal.aborted) {
      try {
        await holdSender(deps.postgres, (registered) => sendUntil(deps, registered, stopping.signal));
      } catch (error) {
        if (!stopping.signal.aborted) deps.log.warn({ err: error }, 'webhooks.sender.waiting');
      }
      await sleep(RETRY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

type Finished = { readonly claim: Claim; readonly sent: Sent };

/** What a sender holds under one registration: deliveries being sent, and results not yet written. */
class Flight {
  readonly finished: Finished[] = [];
  readonly places: Places;
  inFlight = 0;
  #wake: () => void = () => undefined;
  readonly #deps: SenderDeps;
  readonly #signal: AbortSignal;

  constructor(deps: SenderDeps, signal: AbortSignal) {
    this.#deps = deps;
    this.places = new Places(deps.placesMax ?? PLACES_MAX);
    this.#signal = signal;
  }

  /** An attempt that is cut off because the process stops has no result; its lane is released. */
  start(claim: Claim): void {
    this.inFlight += 1;
    this.places.take(claim);
    sendWebhook(this.#deps, claim, this.#signal)
      .then((sent) => this.finished.push({ claim, sent }))
      .catch(() => undefined)
      .finally(() => {
        this.inFlight -= 1;
        this.places.release(claim);
        this.#wake();
      });
  }

  async wait(ms: number): Promise<void> {
    if (this.finished.length > 0 || this.#signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    const timer = setTimeout(resolve, ms);
    await promise;
    clearTimeout(timer);
  }
}

async function sendUntil(deps: SenderDeps, { sender, broken }: Registered, stop: AbortSignal): Promise<void> {
  const { clock, log } = deps;
  const signal = AbortSignal.any([stop, broken]);
  const flight = new Flight(deps, signal);
  let sweptAt = Number.NEGATIVE_INFINITY;
  while (!signal.aborted) {
    try {
      await record(deps, flight);
      if (clock.monotonic() - sweptAt > SWEEP_MS) {
        sweptAt = clock.monotonic();
        const released = await releaseDead(deps.postgres.db, clock.now());
        if (released > 0) log.warn({ released }, 'webhooks.lanes.released');
      }
      if ((await claim(deps, flight, sender)) === 0) await flight.wait(POLL_MS);
    } catch (error) {
      log.warn({ err: error }, 'webhooks.sender.failed');
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
    flying.set(flight.inFlight);
  }
  while (flight.inFlight > 0) await sleep(10);
  await record(deps, flight).catch(() => undefined);
}

/** Claims what is due and starts to send it; returns how many deliveries were claimed. */
async function claim(deps: SenderDeps, flight: Flight, sender: number): Promise<number> {
  const { clock, postgres } = deps;
  const room = flight.places.room();
  if (room.all <= 0) return 0;
  const askedAt = clock.monotonic();
  const nowMs = clock.now();
  const options = { sender, nowMs, leaseEndMs: nowMs + LEASE_MS };
  const inLane = await claimLanes(postgres.db, { ...options, rowsMax: room.all, slowMax: room.slow });
  const left = Math.min(room.aside, room.all - inLane.length);
  const { asideOfAccount: ofAccountMax, fullAccounts } = room;
  const aside =
    left > 0 ? await claimAside(postgres.db, { ...options, rowsMax: left, ofAccountMax, fullAccounts }) : [];
  if (clock.monotonic() - askedAt > STALE_MS) return 0;
  const claims = [...inLane, ...aside];
  for (const each of claims) flight.start(each);
  const ages = claims.filter((each) => each.attempts === 1).map((each) => nowMs - each.createdAtMs);
  if (ages.length > 0) lag.set(Math.max(0, ...ages) / 1_000);
  return claims.length;
}

/** Writes the results to PostgreSQL. They stay in memory until that succeeds. */
async function record(deps: SenderDeps, flight: Flight): Promise<void> {
  while (flight.finished.length > 0) {
    const batch = onePerEndpoint(flight.finished);
    const nowMs = deps.clock.now();
    const judged = batch.map((each) => judge(deps, each, nowMs));
    await recordResults(
      deps.postgres.db,
      judged.map(({ result }) => result),
      nowMs,
    );
    for (const done of batch) flight.finished.splice(flight.finished.indexOf(done), 1);
    for (const { next, claim: of } of judged) {
      attempts.inc({ outcome: next.kind });
      if (next.kind === 'gone') await endGone(deps, of);
      if (next.kind === 'delivered' && isVerification(of) && of.challenge !== null)
        await setVerified(deps.postgres.db, { id: of.endpointId, challenge: of.challenge }, nowMs);
    }
  }
}

function onePerEndpoint(finished: readonly Finished[]): readonly Finished[] {
  const seen = new Set<string>();
  const batch: Finished[] = [];
  for (const each of finished) {
    if (batch.length === RESULTS_MAX || seen.has(each.claim.endpointId)) continue;
    seen.add(each.claim.endpointId);
    batch.push(each);
  }
  return batch;
}

const isVerification = ({ event }: Pick<Claim, 'event'>): boolean => event === VERIFICATION;

/** A verification is tried again on a schedule of its own, as a parked delivery is. */
function placeOf(claim: Claim): Place {
  const { status, step, refusals } = claim;
  if (status === 'pending') return { kind: 'lane', step, refusals };
  return status === 'once' && !isVerification(claim) ? { kind: 'once' } : { kind: 'parked', step };
}

const NO_CHALLENGE = 'The answer did not contain the challenge.';
/** A 2xx without the challenge is no consent. */
const lacksChallenge = (of: Claim, { status, challenge }: Sent): boolean =>
  isVerification(of) &&
  status !== null &&
  status < 300 &&
  (of.challenge === null || challenge !== of.challenge);

type Judged = { readonly claim: Claim; readonly next: Next; readonly result: Result };

function judge(
  { random = Math.random, retryMs }: SenderDeps,
  { claim: of, sent }: Finished,
  nowMs: number,
): Judged {
  const pauses = retryMs ?? (isVerification(of) ? VERIFICATION_RETRY_MS : undefined);
  const settings = { nowMs, random: random(), ...(pauses !== undefined && { retryMs: pauses }) };
  const isUnanswered = lacksChallenge(of, sent);
  const next = judgeAttempt(placeOf(of), isUnanswered ? { ...sent, status: null } : sent, settings);
  return {
    claim: of,
    next,
    result: {
      id: of.id,
      endpointId: of.endpointId,
      attempts: of.attempts,
      was: of.status,
      isDelivered: next.kind === 'delivered',
      responseStatus: sent.status,
      responseBody: sent.responseBody,
      error: isUnanswered ? NO_CHALLENGE : sent.error,
      durationMs: sent.durationMs,
      ...afterOf(of, next, nowMs),
    },
  };
}

type After = Pick<
  Result,
  'status' | 'isOutOfOrder' | 'refusals' | 'step' | 'nextAtMs' | 'laneAtMs' | 'laneStep'
>;

/** The next state of a delivery, and when its lane goes on. */
function afterOf(of: Claim, next: Next, nowMs: number): After {
  const isInLane = of.status === 'pending';
  const rest = { isOutOfOrder: false, refusals: of.refusals, step: 0, nextAtMs: null };
  const lane = (laneAtMs: number, laneStep: number) =>
    isInLane ? { laneAtMs, laneStep } : { laneAtMs: null, laneStep: null };
  if (next.kind === 'delivered') return { ...rest, status: 'delivered', ...lane(nowMs, 0) };
  // The endpoint is disabled next, which skips all that waits, so this delivery is put back among them.
  if (next.kind === 'gone')
    return { ...rest, status: isInLane ? 'pending' : 'failed', ...lane(nowMs, of.step) };
  if (next.kind === 'park')
    return {
      status: 'parked',
      isOutOfOrder: true,
      refusals: 0,
      step: next.step,
      nextAtMs: next.nextAtMs,
      ...lane(nowMs, 0),
    };
  if (next.kind === 'failed') return { ...rest, status: 'failed', ...lane(next.nextAtMs, next.step) };
  return isInLane
    ? { ...rest, status: 'pending', refusals: next.refusals, ...lane(next.nextAtMs, next.step) }
    : { ...rest, status: 'parked', step: next.step, nextAtMs: next.nextAtMs, ...lane(nowMs, 0) };
}

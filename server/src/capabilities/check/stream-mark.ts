import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Indicator } from '#domain/indicator/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { Principal } from '#platform/http/principal.ts';
import type { Secrets } from '#platform/secrets.ts';
import type { CheckEvent } from './contract-stream.ts';

export type StreamMarkDeps = {
  readonly clock: Pick<Clock, 'now'>;
  readonly secrets: Pick<Secrets, 'newest' | 'keyFor'>;
};

export type MarkOwner = {
  readonly principal: Pick<Principal, 'kind' | 'id' | 'accountId'>;
  readonly indicator: Indicator;
};

export type StreamMark = {
  readonly seen: number;
  readonly startedMs: number;
};

export type StreamMarks = {
  /** The id of an event, which a reader sends back as Last-Event-ID. */
  readonly write: (owner: MarkOwner, mark: StreamMark) => string;
  /** Null for a mark that is forged, expired, or for another caller or target. */
  readonly read: (owner: MarkOwner, text: string | string[] | undefined) => StreamMark | null;
};

/**
 * The number of each phase in a mark. The number of phases sent would not do, because the resumed run may send `dns`
 * where the first one left it out.
 */
const PLACES = {
  reputation: 1,
  basic: 2,
  insights: 3,
  dns: 4,
  enrichment: 5,
  done: 6,
} as const satisfies Record<Exclude<CheckEvent['type'], 'error'>, number>;
export const LAST_PLACE = PLACES.done;

/** Null for an error: it has no number, so a resumed stream sends the phase that failed. */
export const placeOf = (type: CheckEvent['type']): number | null => (type === 'error' ? null : PLACES[type]);

/** Long enough for a phone that changes its network; too short to resume a stream instead of paying anew. */
const VALID_MS = 120_000;
const MAC_BYTES = 16;
/** Phase number, version of the secret, start, MAC. */
const MARK = /^(\d)\.(\d{1,5})\.([0-9a-z]{1,11})\.([\w-]{22})$/;

/**
 * Signed marks need no server state, so any node can resume a stream of another. A mark grants only the rest of a check
 * that was already charged.
 */
export function createStreamMarks({ clock, secrets }: StreamMarkDeps): StreamMarks {
  const textOf = (version: number, { principal, indicator }: MarkOwner, mark: StreamMark): string | null => {
    const key = secrets.keyFor('stream', version);
    if (key === undefined) return null;
    const { seen, startedMs } = mark;
    const owner = [principal.kind, principal.id, principal.accountId, indicator.kind, indicator.value];
    const mac = createHmac('sha256', key)
      .update(JSON.stringify([...owner, seen, startedMs]))
      .digest();
    const shown = mac.subarray(0, MAC_BYTES).toString('base64url');
    return `${seen}.${version}.${startedMs.toString(36)}.${shown}`;
  };
  return {
    write: (owner, mark) => {
      const text = textOf(secrets.newest, owner, mark);
      if (text === null) throw new Error('There is no key to mark events with.');
      return text;
    },
    read: (owner, text) => {
      const match = typeof text === 'string' ? MARK.exec(text) : null;
      if (match === null) return null;
      const [given, seen, version, started = ''] = match;
      const mark = { seen: Number(seen), startedMs: Number.parseInt(started, 36) };
      // Checked in both directions: clocks of nodes differ, and a clock set back must not extend the life of a mark.
      if (Math.abs(clock.now() - mark.startedMs) > VALID_MS) return null;
      const written = textOf(Number(version), owner, mark);
      return written !== null && isSame(given, written) ? mark : null;
    },
  };
}

/** Constant-time comparison, so that timing does not reveal a matching prefix. */
const isSame = (given: string, written: string): boolean =>
  given.length === written.length && timingSafeEqual(Buffer.from(given), Buffer.from(written));

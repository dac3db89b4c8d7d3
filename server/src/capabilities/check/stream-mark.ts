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

/** Whose check of what: a mark is worth nothing to anybody else and for anything else. */
export type MarkOwner = {
  readonly principal: Pick<Principal, 'kind' | 'id' | 'accountId'>;
  readonly indicator: Indicator;
};

/** How far the reader of a paid check has come. */
export type StreamMark = {
  /** Number of the last phase seen; 0 when none was. */
  readonly seen: number;
  /** When the check that was paid for began. */
  readonly startedMs: number;
};

export type StreamMarks = {
  /** The id of an event: what a reader sends back as Last-Event-ID. */
  readonly write: (owner: MarkOwner, mark: StreamMark) => string;
  /** Null for what we did not write, or for somebody else, something else, or too long ago. */
  readonly read: (owner: MarkOwner, text: string | string[] | undefined) => StreamMark | null;
};

/**
 * The place of each phase. `dns` may be left out of one run and not of the next, so counting what was sent would skip
 * something; nothing comes after `done`.
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

/** Null for a failure: it takes no place, so that whoever comes back gets what it stood for. */
export const placeOf = (type: CheckEvent['type']): number | null => (type === 'error' ? null : PLACES[type]);

/** Long enough for a phone that changes its network; short enough that a check costs what it costs. */
const VALID_MS = 120_000;
/** 128 bits. */
const MAC_BYTES = 16;
/** Place, version of the secret, start, MAC. */
const MARK = /^(\d)\.(\d{1,5})\.([0-9a-z]{1,11})\.([\w-]{22})$/;

/**
 * Marks that need no memory: any node of the service can read what another wrote. They carry no right but to the rest of
 * one check that was paid for.
 */
export function createStreamMarks({ clock, secrets }: StreamMarkDeps): StreamMarks {
  /** Null when the version of the secret was retired. */
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
      // Both ways: the clocks of two nodes differ, and one that was set back must not make a mark live long.
      if (Math.abs(clock.now() - mark.startedMs) > VALID_MS) return null;
      const written = textOf(Number(version), owner, mark);
      return written !== null && isSame(given, written) ? mark : null;
    },
  };
}

/** As long for a wrong character at the beginning as for one at the end. */
const isSame = (given: string, written: string): boolean =>
  given.length === written.length && timingSafeEqual(Buffer.from(given), Buffer.from(written));

import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '#platform/clock.ts';
import { gauge } from '#platform/metrics.ts';

const RETRY_MS = 5_000;
const PING_S = 15;
const TICK_MS = 1_000;
/** A reader this far behind is closed and may resume with Last-Event-ID (decisions 3.13). */
const QUEUED_BYTES_MAX = 1024 * 1024;
const STALLED_MAX_MS = 30_000;
const ID = /^[\w.:-]{1,128}$/;

const open = gauge({ name: 'sse_streams', help: 'Event streams open in this process.' });

export type EventStream = {
  /** Returns false once the stream is closed. The text comes from `frame()`; many streams may share its bytes. */
  readonly write: (frame: string | Uint8Array) => boolean;
  /** Resolves when the reader has taken what was written, or the stream is closed. */
  readonly drained: () => Promise<void>;
  readonly end: () => void;
  readonly closed: boolean;
  readonly onClose: (work: () => void) => void;
};

export type EventStreams = {
  /**
   * Turns the answer into an event stream. Refusals must happen before. `pingId` gives the id that a reader may resume
   * after although it got no event with it; null: none right now.
   */
  readonly open: (request: FastifyRequest, reply: FastifyReply, pingId?: () => string | null) => EventStream;
  readonly size: () => number;
  readonly endAll: () => void;
  readonly stop: () => void;
};

/**
 * One event. It has no `event:` line, so that `onmessage` receives it (decisions 3.13). The data is one line of JSON:
 * JSON escapes CR and LF; U+2028 and U+2029 are escaped here, for readers that split on them.
 */
export function frame(id: string, payload: unknown): string {
  if (!ID.test(id))
    throw new Error('An event id may hold letters, digits, dot, colon, dash and underscore only.');
  return `id: ${id}\ndata: ${oneLine(payload)}\n\n`;
}

/** Moves the place from which a reader resumes; a block without data is no event. */
export const mark = (id: string): string => `id: ${id}\n\n`;

const oneLine = (payload: unknown): string =>
  JSON.stringify(payload ?? null)
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');

type Limits = { readonly queuedBytesMax: number; readonly stalledMaxMs: number };

export function createEventStreams(options: {
  readonly clock: Clock;
  readonly onOpen?: (request: FastifyRequest) => void;
  readonly limits?: Partial<Limits>;
}): EventStreams {
  const limits = { queuedBytesMax: QUEUED_BYTES_MAX, stalledMaxMs: STALLED_MAX_MS, ...options.limits };
  // One slot a second: ten thousand pings at once would stall the loop, and a timer for each stream would cost memory.
  const slots = Array.from({ length: PING_S }, () => new Set<OpenStream>());
  let turn = 0;
  let joined = 0;
  const all = () => slots.flatMap((slot) => [...slot]);
  const tick = setInterval(() => {
    turn = (turn + 1) % PING_S;
    const nowMs = options.clock.monotonic();
    for (const slot of slots) for (const stream of slot) stream.closeIfStalled(nowMs);
    for (const stream of slots[turn] ?? []) stream.ping();
  }, TICK_MS);
  tick.unref();
  return {
    open: (request, reply, pingId) => {
      reply.hijack();
      options.onOpen?.(request);
      joined += 1;
      const slot = slots[joined % PING_S] ?? new Set();
      const stream = new OpenStream(reply.raw, limits, options.clock, pingId ?? null);
      slot.add(stream);
      open.inc();
      stream.onClose(() => {
        slot.delete(stream);
        open.dec();
      });
      stream.begin(reply.getHeaders(), request.method === 'HEAD');
      return stream;
    },
    size: () => slots.reduce((sum, slot) => sum + slot.size, 0),
    endAll: () => {
      all().forEach((stream, index) => {
        // Spread over the usual wait, so that readers do not reconnect to the next process at the same time.
        stream.write(`retry: ${1_000 + ((index * 37) % (RETRY_MS - 1_000))}\n\n`);
        stream.end();
      });
    },
    stop: () => clearInterval(tick),
  };
}

class OpenStream implements EventStream {
  closed = false;
  private readonly response: ServerResponse;
  private readonly limits: Limits;
  private readonly clock: Clock;
  private readonly pingId: (() => string | null) | null;
  private readonly closers: (() => void)[] = [];
  private stalledSinceMs: number | null = null;

  constructor(response: ServerResponse, limits: Limits, clock: Clock, pingId: OpenStream['pingId']) {
    this.response = response;
    this.limits = limits;
    this.clock = clock;
    this.pingId = pingId;
    response.on('drain', () => {
      this.stalledSinceMs = null;
    });
    response.on('close', () => this.finished());
    response.on('error', () => this.finished());
    // The reader may have left while the stream was being prepared, so that its `close` event was missed.
    if (response.destroyed) this.finished();
  }

  ping(): void {
    const id = this.pingId?.() ?? null;
    this.write(id === null ? ': ping\n\n' : `: ping\n${mark(id)}`);
  }

  begin(headers: Readonly<Record<string, number | string | string[] | undefined>>, headOnly: boolean): void {
    if (this.closed) return;
    this.response.writeHead(200, {
      ...headers,
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    if (headOnly) this.response.end();
    else this.write(`retry: ${RETRY_MS}\n\n`);
  }

  write(text: string | Uint8Array): boolean {
    if (this.closed) return false;
    if (!this.response.write(text)) {
      this.stalledSinceMs ??= this.clock.monotonic();
      if (this.response.writableLength > this.limits.queuedBytesMax) this.drop();
    }
    return !this.closed;
  }

  drained(): Promise<void> {
    if (this.closed || !this.response.writableNeedDrain) return Promise.resolve();
    const { response } = this;
    return new Promise((resolve) => {
      const done = (): void => {
        response.off('drain', done).off('close', done);
        resolve();
      };
      response.on('drain', done).on('close', done);
    });
  }

  end(): void {
    if (this.closed) return;
    this.response.end();
    this.finished();
  }

  closeIfStalled(nowMs: number): void {
    if (this.stalledSinceMs !== null && nowMs - this.stalledSinceMs > this.limits.stalledMaxMs) this.drop();
  }

  onClose(work: () => void): void {
    if (this.closed) work();
    else this.closers.push(work);
  }

  private drop(): void {
    this.response.destroy();
    this.finished();
  }

  private finished(): void {
    if (this.closed) return;
    this.closed = true;
    for (const work of this.closers) work();
  }
}

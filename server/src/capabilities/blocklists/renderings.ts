import { Worker } from 'node:worker_threads';
import { unavailable } from '#platform/errors.ts';
import type { Rendered } from './formats/format.ts';
import type { RenderOrder } from './render-list.ts';

/** Threads that wait behind the one that renders. */
const WAITING_MAX = 16;
const RETRY_AFTER_S = 5;

/** Renderings of this process: each is made once for a version, one at a time, and the least used go first. */
export class Renderings {
  readonly #bytesMax: number;
  readonly #kept = new Map<string, Rendered>();
  readonly #asked = new Map<string, Promise<Rendered>>();
  #bytes = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get(key: string, order: RenderOrder): Promise<Rendered> {
    const kept = this.#kept.get(key);
    if (kept !== undefined) {
      this.#kept.delete(key);
      this.#kept.set(key, kept);
      return Promise.resolve(kept);
    }
    const asked = this.#asked.get(key);
    if (asked !== undefined) return asked;
    if (this.#asked.size >= WAITING_MAX)
      return Promise.reject(
        unavailable('Other lists are being written in other formats. Try again shortly.', RETRY_AFTER_S),
      );
    const rendering = this.#last.then(() => renderInThread(order));
    this.#last = rendering.catch(() => undefined);
    this.#asked.set(key, rendering);
    return rendering
      .then((rendered) => this.#keep(key, rendered))
      .finally(() => {
        this.#asked.delete(key);
      });
  }

  #keep(key: string, rendered: Rendered): Rendered {
    if (rendered.body.length > this.#bytesMax) return rendered;
    this.#kept.set(key, rendered);
    this.#bytes += rendered.body.length;
    for (const [oldest, { body }] of this.#kept) {
      if (this.#bytes <= this.#bytesMax) break;
      this.#kept.delete(oldest);
      this.#bytes -= body.length;
    }
    return rendered;
  }
}

async function renderInThread(order: RenderOrder): Promise<Rendered> {
  const thread = new Worker(new URL('./render-child.ts', import.meta.url), { workerData: order });
  const { promise, resolve, reject } = Promise.withResolvers<Rendered>();
  thread.once('message', resolve);
  thread.once('error', reject);
  thread.once('exit', (code) => reject(new Error(`The writing of a list ended with code ${code}.`)));
  const { body, entries, left } = await promise;
  return { body: Buffer.from(body.buffer, body.byteOffset, body.byteLength), entries, left };
}

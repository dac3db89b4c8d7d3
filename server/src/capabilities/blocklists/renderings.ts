import { unavailable } from '#platform/errors.ts';
import { runInThread } from '#platform/run-in-thread.ts';
import type { Rendered } from './formats/format.ts';
import type { RenderOrder } from './render-list.ts';

/** Renderings under way or waiting at once; a further caller gets 503. */
const WAITING_MAX = 16;
const RETRY_AFTER_S = 5;

type Kept = {
  readonly rendered: Rendered;
  readonly order: RenderOrder;
  /** False: the rendering was prepared with a new version of the list, and no caller has asked for it yet. */
  isAsked: boolean;
};

/** Cache of renderings of this process: made one at a time and once per version; the least recently used go first. */
export class Renderings {
  readonly #bytesMax: number;
  readonly #kept = new Map<string, Kept>();
  readonly #asked = new Map<string, Promise<Rendered>>();
  #bytes = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get(key: string, order: RenderOrder): Promise<Rendered> {
    const kept = this.#kept.get(key);
    if (kept !== undefined) {
      kept.isAsked = true;
      this.#kept.delete(key);
      this.#kept.set(key, kept);
      return Promise.resolve(kept.rendered);
    }
    const asked = this.#asked.get(key);
    if (asked !== undefined) return asked;
    if (this.#asked.size >= WAITING_MAX)
      return Promise.reject(
        unavailable('Other lists are being written in other formats. Try again shortly.', RETRY_AFTER_S),
      );
    return this.#render(key, order, true);
  }

  /** The kept renderings of one version of a list, whose file is `path`. */
  keptOf(path: string): readonly Pick<Kept, 'order' | 'isAsked'>[] {
    return [...this.#kept.values()].filter(({ order }) => order.path === path);
  }

  /** Renders before the first caller asks. */
  async prepare(key: string, order: RenderOrder): Promise<void> {
    if (!this.#kept.has(key)) await (this.#asked.get(key) ?? this.#render(key, order, false));
  }

  #render(key: string, order: RenderOrder, isAsked: boolean): Promise<Rendered> {
    const rendering = this.#last.then(() => renderInThread(order));
    this.#last = rendering.catch(() => undefined);
    this.#asked.set(key, rendering);
    return rendering
      .then((rendered) => this.#keep(key, { rendered, order, isAsked }))
      .finally(() => {
        this.#asked.delete(key);
      });
  }

  #keep(key: string, kept: Kept): Rendered {
    const { rendered } = kept;
    if (rendered.body.length > this.#bytesMax) return rendered;
    this.#kept.set(key, kept);
    this.#bytes += rendered.body.length;
    for (const [oldest, { rendered: old }] of this.#kept) {
      if (this.#bytes <= this.#bytesMax) break;
      this.#kept.delete(oldest);
      this.#bytes -= old.body.length;
    }
    return rendered;
  }
}

async function renderInThread(order: RenderOrder): Promise<Rendered> {
  const { body, entries, left } = await runInThread<Rendered>(
    new URL('./render-child.ts', import.meta.url),
    order,
    'The writing of a list',
  );
  return { body: Buffer.from(body.buffer, body.byteOffset, body.byteLength), entries, left };
}

import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { NewGeneration, NewPosition, WriterState } from './generation-writer.ts';
import type { Head } from './head.ts';

type Calls = {
  create: (folder: string, start: NewGeneration) => undefined;
  adopt: (folder: string) => WriterState;
  copyInto: (collection: string, chunks: Buffer[] | null) => undefined;
  putDerived: (name: string, value: Buffer) => undefined;
  finish: () => WriterState;
  stage: (collection: string | null, packed: Buffer) => undefined;
  discardStaged: () => undefined;
  commit: (position: NewPosition) => WriterState;
  touch: (contact: Pick<Head, 'contactAtMs' | 'contactTookMs'>) => undefined;
  rewrite: (source: string, target: string, generation: string, nowMs: number) => WriterState;
  isRead: (folder: string) => boolean;
  close: () => undefined;
};
export type WriterCall = {
  [N in keyof Calls]: { readonly id: number; readonly name: N; readonly args: Parameters<Calls[N]> };
}[keyof Calls];
export type WriterReply = { readonly id: number; readonly result?: unknown; readonly error?: string };

/** The process ended by itself; after a crash its file may be damaged. */
export class WriterCrashed extends Error {}

const CHILD = join(import.meta.dirname, 'writer-child.ts');
const CLOSE_WAIT_MS = 15_000;

/**
 * LMDB writes block their thread for the length of a large delta, and a damaged page may crash it. So each generation
 * is written by its own process: datasets do not wait for each other, and a crash can be handled.
 */
export class WriterProcess {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<
    number,
    { resolve: (value: unknown) => void; reject: (error: Error) => void }
  >();
  #lastId = 0;
  #ended: Error | null = null;

  constructor() {
    this.#child = fork(CHILD, [], {
      serialization: 'advanced',
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#child.on('message', (reply: WriterReply) => {
      const waiting = this.#waiting.get(reply.id);
      this.#waiting.delete(reply.id);
      if (reply.error === undefined) waiting?.resolve(reply.result);
      else waiting?.reject(new Error(reply.error));
    });
    this.#child.on('error', (error) => this.#end(error));
    this.#child.on('exit', (code, signal) =>
      this.#end(new WriterCrashed(`The replica writer ended (${signal ?? `code ${code}`}).`)),
    );
  }

  call<N extends keyof Calls>(name: N, ...args: Parameters<Calls[N]>): Promise<ReturnType<Calls[N]>> {
    if (this.#ended !== null) return Promise.reject(this.#ended);
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
      this.#child.send({ id, name, args }, (error) => {
        if (error !== null)
          this.#end(new WriterCrashed('The replica writer cannot be reached.', { cause: error }));
      });
    });
  }

  /** Returns when the process has ended, killed if it does not end in time. */
  async close(): Promise<void> {
    if (this.#ended !== null) return;
    const gone = new Promise<void>((resolve) => this.#child.once('exit', () => resolve()));
    const deadline = setTimeout(() => this.#child.kill('SIGKILL'), CLOSE_WAIT_MS);
    await this.call('close').catch(() => undefined);
    this.#child.kill('SIGKILL');
    await gone;
    clearTimeout(deadline);
  }

  /** For cancelled work: nothing of an unfinished generation needs saving. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }

  #end(error: Error): void {
    this.#ended ??= error;
    for (const { reject } of this.#waiting.values()) reject(this.#ended);
    this.#waiting.clear();
  }
}

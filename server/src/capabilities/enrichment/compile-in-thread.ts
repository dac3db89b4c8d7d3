import { Worker } from 'node:worker_threads';
import type { CompiledReference, ReferenceKind, ReferencePart } from './compile-reference.ts';
import { RefusedFile } from './refused-file.ts';

type Answer = { readonly compiled?: CompiledReference; readonly refused?: string };

/** Like `compileReference`, off the event loop: a worker must renew its lease meanwhile (reliability W3). */
export async function compileInThread(
  kind: ReferenceKind,
  parts: readonly ReferencePart[],
): Promise<CompiledReference> {
  const thread = new Worker(new URL('./compile-child.ts', import.meta.url), { workerData: { kind, parts } });
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  thread.once('message', resolve);
  thread.once('error', reject);
  thread.once('exit', (code) => reject(new Error(`The reading of reference data ended with code ${code}.`)));
  const { compiled, refused } = await promise;
  if (compiled !== undefined) return compiled;
  throw new RefusedFile(refused ?? 'The file cannot be read.');
}

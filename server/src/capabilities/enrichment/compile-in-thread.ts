import { runInThread } from '#platform/run-in-thread.ts';
import type { CompiledReference, ReferenceKind, ReferencePart } from './compile-reference.ts';
import { RefusedFile } from './refused-file.ts';

type Answer = { readonly compiled?: CompiledReference; readonly refused?: string };

/** Like `compileReference`, off the event loop: a worker must renew its lease meanwhile (reliability W3). */
export async function compileInThread(
  kind: ReferenceKind,
  parts: readonly ReferencePart[],
): Promise<CompiledReference> {
  const { compiled, refused } = await runInThread<Answer>(
    new URL('./compile-child.ts', import.meta.url),
    { kind, parts },
    'The reading of reference data',
  );
  if (compiled !== undefined) return compiled;
  throw new RefusedFile(refused ?? 'The file cannot be read.');
}

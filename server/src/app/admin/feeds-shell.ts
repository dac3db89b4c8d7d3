import type { PipelineDeps } from '#capabilities/feeds/index.ts';
import type { AdminContext } from './context.ts';

export type Json = { readonly json?: boolean };

export type FeedsShell = {
  readonly context: AdminContext;
  /** Opens the connections of a command and always closes them. */
  readonly on: (work: (deps: PipelineDeps) => Promise<void>) => Promise<void>;
};

export const JSON_OPTION = ['--json', 'print one JSON document'] as const;

export function answer(
  { context }: FeedsShell,
  options: Json,
  document: unknown,
  lines: () => readonly string[],
): void {
  if (options.json === true) context.json(document);
  else for (const line of lines()) context.out(line);
}

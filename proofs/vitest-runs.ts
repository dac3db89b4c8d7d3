import type { VitestRun } from './proof.ts';

export const engines = (...names: string[]): VitestRun => ({
  kind: 'vitest',
  project: 'integration',
  files: names.map((name) => `server/test/${name}.test.ts`),
});
export const large = (...names: string[]): VitestRun => ({
  kind: 'vitest',
  project: 'proofs',
  files: names.map((name) => `server/test/proofs/${name}.test.ts`),
});

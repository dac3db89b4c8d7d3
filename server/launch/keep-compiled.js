import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// JavaScript on purpose: it has to run before the first TypeScript module, so that this one is kept compiled too.
// Modules that are kept compiled halve the CPU time of a start from the sources (docs/decisions/0021). The folder is
// removed by `npm run build:server`, because parts of a bundle have new names after each build.
if (process.env.NODE_COMPILE_CACHE === undefined) {
  const { directory } = enableCompileCache(
    join(import.meta.dirname, '../../node_modules/.cache/assay-compiled'),
  );
  // Child processes keep theirs in the same folder. Undefined where the folder cannot be written.
  if (directory !== undefined)
    process.env.NODE_COMPILE_CACHE = join(import.meta.dirname, '../../node_modules/.cache/assay-compiled');
}

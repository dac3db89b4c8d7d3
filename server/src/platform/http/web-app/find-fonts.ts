import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { DocsFonts } from '../docs-style.ts';

/** The fonts of a built dashboard at their addresses below `/app`; none where nothing is built. */
export function findFonts(dir: string): DocsFonts {
  const addressOf = (family: string): string | undefined => {
    const [name] = globSync(`atkinson-hyperlegible-${family}-latin-wght-normal-*.woff2`, {
      cwd: join(dir, 'assets'),
    });
    return name === undefined || !/^[\w.-]+$/.test(name) ? undefined : `/app/assets/${name}`;
  };
  const [sans, mono] = [addressOf('next'), addressOf('mono')];
  return { ...(sans !== undefined && { sans }), ...(mono !== undefined && { mono }) };
}

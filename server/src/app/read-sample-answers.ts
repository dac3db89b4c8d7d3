import { globSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';

const FOLDER = join(import.meta.dirname, 'sample-answers');

/** Sample answers of the reference by operation id: values from `.json`, other media types as text from `.txt`. */
export function readSampleAnswers(): ReadonlyMap<string, unknown> {
  return new Map(
    globSync('*.{json,txt}', { cwd: FOLDER }).map((name): [string, unknown] => {
      const text = readFileSync(join(FOLDER, name), 'utf8');
      const kind = extname(name);
      return [basename(name, kind), kind === '.json' ? (JSON.parse(text) as unknown) : text];
    }),
  );
}

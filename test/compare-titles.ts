import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { lostTitles } from './lost-titles.ts';

/**
 * node test/compare-titles.ts --before A.json --after B.json [--renamed FILE]
 * Names every test title of before that is in no lane now. Both lists come from `vitest list --json=FILE`, which lists
 * every project. FILE has a line `old title => new title`, or `old title => (gone) reason`, for each deliberate change.
 */
const { values: flags } = parseArgs({
  options: { before: { type: 'string' }, after: { type: 'string' }, renamed: { type: 'string' } },
});
if (flags.before === undefined || flags.after === undefined) {
  process.stderr.write(
    'Usage: node test/compare-titles.ts --before A.json --after B.json [--renamed FILE]\n',
  );
  process.exit(2);
}
const titlesIn = (file: string): string[] =>
  (JSON.parse(readFileSync(file, 'utf8')) as { name: string }[]).map(({ name }) => name);
const renamed = flags.renamed === undefined ? '' : readFileSync(flags.renamed, 'utf8');
const [before, after] = [titlesIn(flags.before), titlesIn(flags.after)];
const { lost, explained } = lostTitles(before, after, renamed);
for (const title of lost) process.stdout.write(`lost: ${title}\n`);
process.stdout.write(
  `${before.length} titles before, ${after.length} after; ${explained} renamed or explained, ${lost.length} lost\n`,
);
process.exitCode = lost.length === 0 ? 0 : 1;

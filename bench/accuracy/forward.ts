import { join } from 'node:path';
import { signalRules } from './forward-signals.ts';
import { measureForward } from './time-forward.ts';
import { forwardLines, keepForward } from './write-forward.ts';

/**
 * npm run bench:forward -- [--print] [DAY...]
 * Time-forward: what the lists of a past day, and the rules upon them, foresaw of the 30 days after it. Writes
 * `bench/results/forward.json`, which `bench:accuracy` puts into its page.
 */
const DATA = join(import.meta.dirname, '../../../shared/data');
const asked = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const measured = await measureForward(DATA, asked.length > 0 ? asked : undefined, signalRules);
for (const line of forwardLines(measured)) process.stdout.write(`${line}\n`);
if (!process.argv.includes('--print')) keepForward(measured);

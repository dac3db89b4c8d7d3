import { Command } from 'commander';
import { readReliability } from '#capabilities/source-trust/index.ts';
import { answer, type FeedsShell, JSON_OPTION, type Json } from './feeds-shell.ts';
import { renderTable } from './table.ts';

/** The reliability of each source and the evidence for it (scoring 7). */
export const reliabilityCommand = (shell: FeedsShell): Command =>
  new Command('reliability')
    .description('The reliability of each threat source: its start, its present value, and why.')
    .option(...JSON_OPTION)
    .action((options: Json) => reliability(shell, options));

const reliability = (shell: FeedsShell, options: Json): Promise<void> =>
  shell.on(async ({ system }) => {
    const sources = await readReliability(system.db);
    answer(shell, options, { sources }, () => {
      if (sources.length === 0) return ['No threat sources yet.'];
      return renderTable(
        [
          { title: 'source' },
          { title: 'grade' },
          { title: 'prior', align: 'right' },
          { title: 'now', align: 'right' },
          { title: 'conf', align: 'right' },
          { title: 'disp', align: 'right' },
          { title: 'why', widthMax: 100 },
        ],
        sources.map(({ id, letter, prior, current, conf, disp, why }) => [
          id,
          letter,
          prior.toFixed(3),
          current.toFixed(3),
          conf.toFixed(1),
          disp.toFixed(1),
          why,
        ]),
      );
    });
  });

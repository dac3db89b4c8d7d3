import { Command } from 'commander';
import { type Need, suggestSources } from '#capabilities/catalogue/index.ts';
import { readFeedStatus } from '#capabilities/feeds/index.ts';
import { answer, type FeedsShell, JSON_OPTION, type Json } from './feeds-shell.ts';

const HEADINGS: Readonly<Record<Need, string>> = {
  key: 'With a free key of the publisher. Set the variable for the worker and restart it:',
  license: 'With a license that you accept. Read the terms, then: feeds enable ID --accept-licence',
  nothing: 'Free, and on in a new deployment. Turn on with: feeds enable ID',
};
const NOTHING = 'Every suggested source of the catalog is on.';

export const suggestCommand = (shell: FeedsShell): Command =>
  new Command('suggest')
    .description(
      'Threat lists that one key or one accepted license would add, with their size and precision.',
    )
    .option(...JSON_OPTION)
    .action((options: Json) => suggest(shell, options));

const suggest = (shell: FeedsShell, options: Json): Promise<void> =>
  shell.on(async ({ system, catalogue, keys }) => {
    const sources = new Map((await readFeedStatus(system.db, null)).map((source) => [source.id, source]));
    const suggestions = suggestSources(catalogue, {
      hasKey: (variable) => keys(variable) !== undefined,
      // The next start of a worker registers sources that are not here yet, and schedules the defaults among them.
      isScheduled: (id) =>
        sources.get(id)?.scheduled ?? catalogue.some((row) => row.id === id && row.isDefault),
    });
    answer(shell, options, { suggestions }, () => {
      if (suggestions.length === 0) return [NOTHING];
      return (['key', 'license', 'nothing'] as const).flatMap((need) => {
        const ofNeed = suggestions.filter(({ needs }) => needs === need);
        return ofNeed.length === 0
          ? []
          : [HEADINGS[need], ...ofNeed.map(({ sentence }) => `  ${sentence}`), ''];
      });
    });
  });

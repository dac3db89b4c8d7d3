import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { z } from 'zod';
import { type Broken, verifyAll } from '#capabilities/cases/index.ts';
import {
  type Account,
  accountNamed,
  accountOf,
  type Json,
  onSystem,
  print,
  withAccountOptions,
} from './account-options.ts';
import { type AdminContext, AdminError } from './context.ts';
import { count } from './table.ts';

type Options = Json & Account & { readonly roots?: string };

const NotedRoots = z.record(z.iso.date(), z.string().regex(/^[0-9a-f]{64}$/));

export function casesCommands(context: AdminContext): Command {
  const cases = new Command('cases').description('Cases and their evidence.');
  withAccountOptions(
    cases
      .command('verify')
      .description(
        'Read every chain of evidence, every seal and every root again, and name what does not fit.',
      ),
  )
    .option('--roots <file>', 'roots that were noted elsewhere, as JSON {"2026-11-16": "5f0c…"}')
    .option('--json', 'print one JSON document')
    .action((options: Options) => verify(context, options));
  return cases;
}

const verify = (context: AdminContext, options: Options): Promise<void> =>
  onSystem(context, async (deps) => {
    const isOne = Object.keys(accountOf(options)).length > 0;
    const found = await verifyAll(deps.postgres, {
      ...(isOne && { accountId: await accountNamed(deps, options) }),
      noted: options.roots === undefined ? {} : await readRoots(options.roots),
    });
    print(context, options, found, [
      `${count(found.cases)} cases with ${count(found.pieces)} pieces of evidence, ${count(found.seals)} seals, ${count(found.roots)} roots.`,
      ...found.broken.map(lineOf),
      ...(found.broken.length === 0 ? ['Everything fits.'] : []),
    ]);
    if (found.broken.length > 0)
      throw new AdminError(
        `${count(found.broken.length)} places do not fit. Keep this database as it is and compare it with a backup.`,
      );
  });

const lineOf = ({ accountId, caseId, position, day, message }: Broken): string => {
  const place = [
    accountId,
    caseId,
    position === null ? null : `position ${position}`,
    day === null ? null : `day ${day}`,
  ].filter((part) => part !== null);
  return `${place.join(', ')}: ${message}`;
};

async function readRoots(file: string): Promise<Readonly<Record<string, string>>> {
  try {
    return NotedRoots.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    throw new AdminError(`'${file}' does not hold roots as JSON {"2026-11-16": "64 hexadecimal digits"}.`, {
      cause: error,
    });
  }
}

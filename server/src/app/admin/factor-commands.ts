import type { Command } from 'commander';
import { setDemandsFactor } from '#capabilities/access/index.ts';
import { resetFactors } from '#capabilities/factors/index.ts';
import { openLetters } from '#capabilities/letters/index.ts';
import { accountNamed, type Json, OPERATOR, onSystem, print } from './account-options.ts';
import type { AdminContext } from './context.ts';

/** Adds `user reset-factors`, for a person who has lost every second factor. */
export function addResetFactors(user: Command, context: AdminContext): void {
  user
    .command('reset-factors')
    .description(
      'Remove all second factors of a person, who then signs in with the password alone. Ends their sessions and tells them by letter.',
    )
    .requiredOption('--email <address>')
    .option('--json', 'print one JSON document')
    .action((options: Json & { email: string }) =>
      onSystem(context, async (deps) => {
        const userId = await accountNamed(deps, { email: options.email });
        const letters = openLetters(context);
        const removed = await resetFactors({ ...deps, system: deps.postgres, letters }, OPERATOR, userId);
        print(context, options, { userId, ...removed }, [
          `Removed ${removed.passkeys} passkeys, ${removed.hasTotp ? 'the' : 'no'} authenticator app and ${removed.recoveryCodes} recovery codes of ${userId}.`,
          'Their sessions have ended. Make sure that it was the person who asked you.',
          ...(letters.canSendLetters ? [] : ['No letter was sent, because SMTP_URL is not set: tell them.']),
        ]);
      }),
    );
}

/** Adds `org require-factor`, which decides whether sessions need a second factor. */
export function addRequireFactor(org: Command, context: AdminContext): void {
  org
    .command('require-factor')
    .description('Let sessions act for an organization only after a second factor. Keys are not affected.')
    .requiredOption('--org <name>', 'name or id')
    .option('--off', 'no longer')
    .option('--json', 'print one JSON document')
    .action((options: Json & { org: string; off?: true }) =>
      onSystem(context, async (deps) => {
        const organizationId = await accountNamed(deps, { org: options.org });
        const demandsFactor = options.off !== true;
        await setDemandsFactor(deps, OPERATOR, organizationId, demandsFactor);
        print(context, options, { organizationId, demandsFactor }, [
          demandsFactor
            ? `Sessions need a second factor to act for ${organizationId}.`
            : `Sessions need no second factor to act for ${organizationId}.`,
        ]);
      }),
    );
}

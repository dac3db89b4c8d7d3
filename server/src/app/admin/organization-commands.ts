import { type Command, Option } from 'commander';
import { openLetters } from '#capabilities/letters/index.ts';
import {
  deleteOrganization,
  deletePerson,
  inviteMember,
  type OrganizationsDeps,
  restoreOrganization,
  restorePerson,
} from '#capabilities/organizations/index.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { accountNamed, type Deps, emailOf, type Json, OPERATOR, onSystem, print } from './account-options.ts';
import type { AdminContext } from './context.ts';

const INVITED_ROLES = ['ADMIN', 'MEMBER', 'VIEWER'] as const;

/** Commands that delete and restore accounts, and that print invitations for installations without mail. */
export function addOrganizationCommands(org: Command, context: AdminContext): void {
  org
    .command('invite')
    .description('Print a link, good for one use, with which the owner of an address joins.')
    .requiredOption('--org <name>', 'name or id')
    .requiredOption('--email <address>')
    .addOption(new Option('--role <role>').choices(INVITED_ROLES).default('MEMBER'))
    .option('--json', 'print one JSON document')
    .action((options: Json & { org: string; email: string; role: (typeof INVITED_ROLES)[number] }) =>
      onSystem(context, async (deps) => {
        const accountId = await accountNamed(deps, { org: options.org });
        const wanted = { email: emailOf(options.email), role: options.role };
        const { invitation, link } = await inviteMember(teamsOf(context, deps), operator(accountId), wanted);
        const expiresAt = invitation.expiresAt.toISOString();
        print(context, options, { organizationId: accountId, invitationId: invitation.id, link, expiresAt }, [
          link,
          `It works once, until ${expiresAt}, for ${wanted.email} alone.`,
        ]);
      }),
    );
  org
    .command('delete')
    .description('Delete an organization: its keys and sessions end now; it can be restored for a while.')
    .requiredOption('--org <name>', 'name or id')
    .option('--json', 'print one JSON document')
    .action((options: Json & { org: string }) =>
      onSystem(context, async (deps) => {
        const organizationId = await accountNamed(deps, { org: options.org });
        const deleted = await deleteOrganization(teamsOf(context, deps), operator(organizationId));
        const restorableUntil = new Date(deleted.restorableUntilMs).toISOString();
        print(context, options, { organizationId, restorableUntil }, [
          `Deleted ${organizationId}. Restore it until ${restorableUntil}: admin org restore --org ${organizationId}`,
        ]);
      }),
    );
  org
    .command('restore')
    .description('Take the deletion of an organization back.')
    .requiredOption('--org <id>', 'org_…')
    .option('--json', 'print one JSON document')
    .action((options: Json & { org: string }) =>
      onSystem(context, async (deps) => {
        const { id, name } = await restoreOrganization(teamsOf(context, deps), operator(options.org));
        print(context, options, { organizationId: id, name }, [`Restored ${id} (${name}).`]);
      }),
    );
}

export function addPersonCommands(user: Command, context: AdminContext): void {
  const named = (name: string, description: string) =>
    user
      .command(name)
      .description(description)
      .requiredOption('--email <address>')
      .option('--json', 'print one JSON document');
  named('delete', 'Delete a user: keys and sessions end now; the user can be restored for a while.').action(
    (options: Json & { email: string }) =>
      onSystem(context, async (deps) => {
        const userId = await accountNamed(deps, { email: options.email });
        const deleted = await deletePerson(teamsOf(context, deps), { userId, actor: OPERATOR });
        const restorableUntil = new Date(deleted.restorableUntilMs).toISOString();
        print(context, options, { userId, restorableUntil }, [
          `Deleted ${userId}. Restore it until ${restorableUntil}: admin user restore --email ADDRESS`,
        ]);
      }),
  );
  named('restore', 'Take the deletion of a user back. Memberships of organizations stay ended.').action(
    (options: Json & { email: string }) =>
      onSystem(context, async (deps) => {
        const email = emailOf(options.email);
        const userId = await restorePerson(teamsOf(context, deps), { email, actor: OPERATOR });
        print(context, options, { userId }, [`Restored ${userId}.`]);
      }),
  );
}

const operator = (accountId: string) => ({ accountId, userId: null, actor: OPERATOR });

const teamsOf = ({ config, clock }: AdminContext, { postgres }: Deps): OrganizationsDeps => ({
  system: postgres,
  clock,
  letters: openLetters({ config, clock }),
  publicWebUrl: config.PUBLIC_WEB_URL,
  defaultPlan: config.DEFAULT_PLAN,
  invitationsPerDay: config.INVITATIONS_PER_DAY,
  organizationsPerPerson: config.ORGANIZATIONS_PER_PERSON,
  deletedKeptMs: config.DELETED_KEPT_DAYS * DAY_MS,
});

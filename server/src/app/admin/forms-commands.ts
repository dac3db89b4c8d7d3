import { Command } from 'commander';
import {
  erasePerson,
  FORMS,
  type FormEntry,
  listSubscribers,
  selectEntries,
} from '#capabilities/forms/index.ts';
import { createSecrets } from '#platform/secrets.ts';
import { emailOf, type Json, onSystem, print } from './account-options.ts';
import { type AdminContext, AdminError } from './context.ts';
import { count } from './table.ts';

const LISTED_MAX = 100;
const TITLE_CHARS = 80;

export function formsCommands(context: AdminContext): Command {
  const forms = new Command('forms').description('What visitors sent with the public forms.');
  forms
    .command('list')
    .description(`The newest ${LISTED_MAX} entries.`)
    .option('--form <name>', `one of: ${FORMS.join(', ')}`)
    .option('--json', 'print one JSON document')
    .action((options: Json & { readonly form?: string }) => list(context, options));
  forms
    .command('show')
    .argument('<id>', 'frm_…')
    .description('One entry with everything that was sent.')
    .option('--json', 'print one JSON document')
    .action((id: string, options: Json) => show(context, id, options));
  forms
    .command('subscribers')
    .description('The addresses that confirmed the newsletter.')
    .option('--json', 'print one JSON document')
    .action((options: Json) => subscribers(context, options));
  forms
    .command('erase')
    .description('Erase the entries, the subscription and the letters of an address.')
    .requiredOption('--email <address>', 'whose')
    .option('--json', 'print one JSON document')
    .action((options: Json & { readonly email: string }) => erase(context, options));
  return forms;
}

const list = (context: AdminContext, options: Json & { readonly form?: string }): Promise<void> =>
  onSystem(context, async ({ postgres }) => {
    const { form = null } = options;
    if (form !== null && !FORMS.some((name) => name === form))
      throw new AdminError(`There is no form '${form}'. There are: ${FORMS.join(', ')}.`);
    const entries = await selectEntries(postgres.db, { form, id: null, rowsMax: LISTED_MAX });
    print(context, options, { entries: entries.map(documentOf) }, [
      ...entries.map((entry) => `${entry.id} ${isoOf(entry)} ${entry.form}: ${titleOf(entry)}`),
      ...(entries.length === 0 ? ['Nothing was sent.'] : []),
    ]);
  });

const show = (context: AdminContext, id: string, options: Json): Promise<void> =>
  onSystem(context, async ({ postgres }) => {
    const [entry] = await selectEntries(postgres.db, { form: null, id, rowsMax: 1 });
    if (entry === undefined)
      throw new AdminError(`There is no entry '${id}'. Look at: npm run admin -- forms list`);
    print(context, options, documentOf(entry), [
      `${entry.form}, ${isoOf(entry)}`,
      ...Object.entries(entry.fields).map(([name, value]) => `${name}: ${String(value)}`),
    ]);
  });

const subscribers = (context: AdminContext, options: Json): Promise<void> =>
  onSystem(context, async ({ postgres }) => {
    const secrets = createSecrets(context.config.SECRET_KEY);
    const addresses = await Array.fromAsync(listSubscribers(postgres.db, secrets));
    print(context, options, { addresses }, addresses.length === 0 ? ['Nobody subscribed.'] : addresses);
  });

const erase = (context: AdminContext, options: Json & { readonly email: string }): Promise<void> =>
  onSystem(context, async ({ postgres }) => {
    const erased = await erasePerson(postgres, emailOf(options.email));
    print(context, options, erased, [
      `Erased: ${count(erased.entries)} entries, ${count(erased.subscriptions)} subscriptions, ${count(erased.letters)} letters.`,
    ]);
  });

const isoOf = ({ createdAtMs }: FormEntry): string => new Date(createdAtMs).toISOString();
const documentOf = ({ createdAtMs, ...entry }: FormEntry) => ({
  ...entry,
  createdAt: new Date(createdAtMs).toISOString(),
});

/** The first words of what was sent, in one line. */
const titleOf = ({ fields }: FormEntry): string =>
  String(fields.subject ?? fields.message ?? fields.useCase ?? '')
    .replaceAll(/\s+/g, ' ')
    .slice(0, TITLE_CHARS);

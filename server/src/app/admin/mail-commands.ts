import { Command } from 'commander';
import {
  countLetters,
  digestOf,
  readAddress,
  renderLetter,
  selectLetters,
} from '#capabilities/letters/index.ts';
import { newId } from '#platform/ids.ts';
import { createMailer, type Mailer } from '#platform/mail.ts';
import { type Json, onSystem, print } from './account-options.ts';
import { type AdminContext, AdminError } from './context.ts';
import { count } from './table.ts';

const SHOWN_MAX = 20;

type To = Json & { readonly to?: string };

export function mailCommands(context: AdminContext): Command {
  const mail = new Command('mail').description('Letters to people.');
  mail
    .command('test')
    .description('Send a test letter now, without the queue, and show what the mail server says.')
    .requiredOption('--to <address>', 'where to send it')
    .option('--json', 'print one JSON document')
    .action((options: To) => sendTest(context, options));
  mail
    .command('status')
    .description('How many letters wait, were sent or given up, and why.')
    .option('--to <address>', 'only the letters to this address')
    .option('--json', 'print one JSON document')
    .action((options: To) => status(context, options));
  return mail;
}

async function sendTest(context: AdminContext, options: To): Promise<void> {
  const { config, clock } = context;
  const to = addressOf(options.to ?? '');
  const mailer = mailerOf(context);
  const content = { kind: 'mail-test', facts: {} } as const;
  const host = new URL(config.PUBLIC_WEB_URL).host;
  const nowMs = clock.now();
  const outcome = await mailer.send(
    {
      id: newId('ltr', nowMs),
      to,
      dateMs: nowMs,
      ...renderLetter(content, { host, unsubscribeLink: null }),
    },
    new AbortController().signal,
  );
  if (outcome.status !== 'sent')
    throw new AdminError(`${mailer.server} did not take the letter (${outcome.status}): ${outcome.reason}`);
  print(context, options, { server: mailer.server, ...outcome }, [
    `${mailer.server} took the letter: ${outcome.reason}`,
  ]);
}

const status = (context: AdminContext, options: To): Promise<void> =>
  onSystem(context, async ({ postgres }) => {
    const addressDigest = options.to === undefined ? null : digestOf(addressOf(options.to));
    const counts = addressDigest === null ? await countLetters(postgres.db) : [];
    const letters = await selectLetters(postgres.db, { addressDigest, rowsMax: SHOWN_MAX });
    const server = createMailer(context.config)?.server ?? null;
    const document = {
      server,
      states: counts.map(({ oldestAtMs, newestAtMs, ...each }) => ({
        ...each,
        oldestAt: isoOf(oldestAtMs),
        newestAt: isoOf(newestAtMs),
      })),
      letters: letters.map(({ createdAtMs, ...letter }) => ({ ...letter, createdAt: isoOf(createdAtMs) })),
    };
    print(context, options, document, [
      server === null ? 'No mail server: SMTP_URL is not set.' : `Mail server: ${server}.`,
      ...document.states.map(
        ({ state, letters: many, oldestAt, newestAt }) =>
          `${state}: ${count(many)}, from ${oldestAt} to ${newestAt}.`,
      ),
      ...document.letters.map(
        ({ id, kind, state, attempts, reason, createdAt }) =>
          `${id} ${kind}, written ${createdAt}: ${state} after ${attempts} ${attempts === 1 ? 'try' : 'tries'}${reason === null ? '' : `: ${reason}`}`,
      ),
    ]);
  });

const isoOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

function addressOf(text: string): string {
  const address = readAddress(text);
  if (address === null) throw new AdminError(`'${text}' is not an address such as name@example.com.`);
  return address;
}

function mailerOf({ config }: AdminContext): Mailer {
  const mailer = createMailer(config);
  if (mailer === null)
    throw new AdminError(
      'No mail server is configured. Set SMTP_URL and MAIL_FROM (docs/operating/mail.md).',
    );
  return mailer;
}

import { spawn } from 'node:child_process';
import { eventually } from '../../../server/test/support/eventually.ts';
import { MAIN } from '../../../server/test/support/main-file.ts';
import { startSmtpPeer } from '../../../server/test/support/peers/smtp-peer.ts';
import { INHERITED_ENV } from '../../../server/test/support/service.ts';
import { type Stack, startStack } from './stack.ts';

/** The worker looks for jobs every second; the rest is reserve for busy shared cores. */
export const LETTER_WITHIN_MS = 120_000;

type LinkedPage = 'verify' | 'reset' | 'claim' | 'invitation';

export type MailStack = Stack & {
  /** The link in the newest letter to this address that leads to this page of the dashboard. */
  readonly linkTo: (email: string, page: LinkedPage) => Promise<string>;
};

/** An operator's API and worker, and a mail server. The dashboard is at http://localhost, where passkeys work. */
export async function startMailStack(): Promise<MailStack> {
  const mail = await startSmtpPeer();
  const env = { SMTP_URL: mail.url(), MAIL_FROM: 'no-reply@example.com' };
  const stack = await startStack({ env, pageHost: 'localhost' });
  const worker = spawn(process.execPath, [MAIN, 'worker'], {
    env: { ...INHERITED_ENV, ...stack.service.env, FEEDS_ENABLED: 'false' },
    stdio: 'ignore',
  });
  const gone = new Promise((resolve) => worker.once('exit', resolve));
  const find = (email: string, page: LinkedPage) =>
    mail.received
      .filter(({ to }) => to.includes(email))
      .map(({ raw }) => raw.replaceAll('=\r\n', '').replaceAll('=3D', '='))
      .map((text) => new RegExp(String.raw`http://\S+/app/${page}#token=[\w-]{43}`).exec(text)?.[0])
      .findLast((link) => link !== undefined);
  return {
    ...stack,
    linkTo: async (email, page) => {
      await eventually(
        `a letter for /app/${page}`,
        LETTER_WITHIN_MS,
        async () => find(email, page) !== undefined,
      );
      return find(email, page) ?? '';
    },
    stop: async () => {
      worker.kill('SIGTERM');
      await gone;
      await stack.stop();
      await mail.close();
    },
  };
}

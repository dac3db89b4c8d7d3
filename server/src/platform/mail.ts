import type { Config } from './config.ts';
import { composeMessage, type MailMessage, readMailbox } from './mail/compose.ts';
import { deliver, MAIL_TIMING, type MailOutcome, type MailTiming } from './mail/deliver.ts';
import { readSmtpTarget } from './mail/smtp-target.ts';

export type { MailMessage } from './mail/compose.ts';
export type { MailOutcome, MailTiming } from './mail/deliver.ts';

export type MailConfig = Pick<Config, 'ASSAY_ENV' | 'SMTP_URL' | 'MAIL_FROM' | 'MAIL_CA_FILE'>;

/** Hands messages to the operator's mail server. It connects to the host of SMTP_URL and to no other. */
export type Mailer = {
  /** Rejects only for a message that must not leave (a line break in a header, too large); all else is an outcome. */
  readonly send: (message: MailMessage, signal: AbortSignal) => Promise<MailOutcome>;
  /** Host and port, without credentials. */
  readonly server: string;
};

/** Null without SMTP_URL. */
export function createMailer(config: MailConfig, timing: MailTiming = MAIL_TIMING): Mailer | null {
  const { SMTP_URL, MAIL_FROM } = config;
  if (SMTP_URL === undefined || MAIL_FROM === undefined) return null;
  const target = readSmtpTarget({ ...config, SMTP_URL });
  const from = readMailbox(MAIL_FROM);
  return {
    server: `${target.host}:${target.port}`,
    send: async (message, signal) => {
      const bytes = await composeMessage(from, message);
      return deliver(target, { from: from.address, to: message.to, bytes }, { signal, timing });
    },
  };
}

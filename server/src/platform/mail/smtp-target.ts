import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import type { Config } from '../config.ts';

export type SmtpTarget = {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte (smtps). */
  readonly secure: boolean;
  /** STARTTLS or no connection: a password is never sent in the clear. */
  readonly requireTLS: boolean;
  /** A relay on this machine without a password: its self-made certificate protects nothing. */
  readonly ignoreTLS: boolean;
  readonly credentials: { readonly user: string; readonly pass: string } | null;
  readonly ca: readonly string[] | undefined;
};

const PORTS = { secure: 465, submission: 587, relay: 25 } as const;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/;

export function readSmtpTarget(
  config: Pick<Config, 'ASSAY_ENV' | 'MAIL_CA_FILE'> & { readonly SMTP_URL: string },
): SmtpTarget {
  const url = new URL(config.SMTP_URL);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const secure = url.protocol === 'smtps:';
  const credentials =
    url.username === ''
      ? null
      : { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) };
  const standard = credentials === null ? PORTS.relay : PORTS.submission;
  return {
    host,
    port: url.port === '' ? (secure ? PORTS.secure : standard) : Number(url.port),
    secure,
    requireTLS: !secure && credentials !== null && config.ASSAY_ENV !== 'test',
    ignoreTLS: !secure && credentials === null && LOOPBACK.test(host),
    credentials,
    ca:
      config.MAIL_CA_FILE === undefined
        ? undefined
        : [...rootCertificates, readFileSync(config.MAIL_CA_FILE, 'utf8')],
  };
}

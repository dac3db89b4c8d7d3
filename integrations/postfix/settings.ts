import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';

export type Address = { readonly host: string; readonly port: number };

export type Settings = {
  /** The address on which the bridge takes mail from Postfix. */
  readonly listen: Address;
  /** The listener of Postfix that takes scanned mail back. */
  readonly reinject: Address;
  readonly scanUrl: string;
  readonly key: string;
  /** What happens to a message that could not be scanned: delivered with a header, or kept in the queue of Postfix. */
  readonly onFailure: 'open' | 'closed';
  /** Messages with the action `quarantine` go here instead of to their recipients; null: they are marked only. */
  readonly quarantineTo: string | null;
  readonly authservId: string | null;
  readonly trustedHops: number;
  readonly scanDeadlineMs: number;
  readonly scansAtOnce: number;
  readonly sessionsMax: number;
  readonly messageBytesMax: number;
};

export class SettingsError extends Error {}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the ASSAY_* variables; docs/guides/postfix.md has the table. */
export function readSettings(env: Environment): Settings {
  const text = (name: string): string | undefined => {
    const value = env[name]?.trim();
    return value === '' ? undefined : value;
  };
  const number = (name: string, usual: number, min: number, max: number): number => {
    const value = Number(text(name) ?? usual);
    if (!Number.isInteger(value) || value < min || value > max)
      throw new SettingsError(`${name}: write a whole number from ${min} to ${max}.`);
    return value;
  };
  return {
    listen: readAddress('ASSAY_LISTEN', text('ASSAY_LISTEN') ?? '127.0.0.1:10025'),
    reinject: readAddress('ASSAY_REINJECT', text('ASSAY_REINJECT') ?? '127.0.0.1:10026'),
    scanUrl: readUrl(text('ASSAY_URL') ?? 'http://127.0.0.1:8080'),
    key: readKey(text('ASSAY_KEY'), text('ASSAY_KEY_FILE')),
    onFailure: readChoice(text('ASSAY_ON_FAILURE') ?? 'open'),
    quarantineTo: readMailbox(text('ASSAY_QUARANTINE_TO')),
    authservId: text('ASSAY_AUTHSERV_ID')?.slice(0, 253) ?? null,
    trustedHops: number('ASSAY_TRUSTED_HOPS', 1, 1, 10),
    scanDeadlineMs: number('ASSAY_SCAN_DEADLINE_MS', 15_000, 100, 120_000),
    scansAtOnce: number('ASSAY_SCANS_AT_ONCE', 2, 1, 64),
    sessionsMax: number('ASSAY_SESSIONS_MAX', 20, 1, 200),
    messageBytesMax: number('ASSAY_MESSAGE_BYTES_MAX', 50 * 1024 * 1024, 1_024, 200 * 1024 * 1024),
  };
}

/** The bridge delivers what it is given, so only programs of this machine may reach it. */
function readAddress(name: string, text: string): Address {
  const [, host = '', port = ''] = /^\[?([0-9a-fA-F.:]+)\]?:(\d{1,5})$/.exec(text) ?? [];
  const isLoopback = (isIP(host) === 4 && host.startsWith('127.')) || host === '::1';
  if (!isLoopback || Number(port) > 65_535)
    throw new SettingsError(`${name}: write a loopback address and a port, such as 127.0.0.1:10025.`);
  return { host, port: Number(port) };
}

function readUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new SettingsError('ASSAY_URL: write the address of Assay, such as http://127.0.0.1:8080.');
  return `${text.replace(/\/$/, '')}/mail/scan`;
}

function readKey(key: string | undefined, file: string | undefined): string {
  const value = key ?? (file === undefined ? '' : readFileSync(file, 'utf8').trim());
  if (!/^[\x21-\x7e]{1,1024}$/.test(value))
    throw new SettingsError(
      'ASSAY_KEY: write the `header` value of a key, or name a file that has it in ASSAY_KEY_FILE.',
    );
  return value;
}

function readChoice(text: string): 'open' | 'closed' {
  if (text !== 'open' && text !== 'closed')
    throw new SettingsError(
      'ASSAY_ON_FAILURE: write open (deliver unscanned mail with a header) or closed (keep it queued).',
    );
  return text;
}

function readMailbox(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (!/^[^\s<>@]{1,64}@[^\s<>@]{1,253}$/.test(text))
    throw new SettingsError('ASSAY_QUARANTINE_TO: write one mailbox, such as quarantine@example.com.');
  return text;
}

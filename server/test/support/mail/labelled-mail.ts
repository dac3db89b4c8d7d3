import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The public messages beside the project: real phishing, old ham and spam, and messages that parsers stumble over. */
export const MAIL_DIR = join(import.meta.dirname, '../../../../../shared/data/mail');
export const HAS_MAIL = existsSync(join(MAIL_DIR, 'phishing-pot'));

export const LABELS = ['phishing', 'easy-ham', 'hard-ham', 'spam', 'fixture'] as const;
export type Label = (typeof LABELS)[number];
export type LabelledMail = { readonly name: string; readonly label: Label; readonly bytes: Buffer };

const labelOf = (folder: string, name: string): Label => {
  if (folder === 'phishing-pot') return 'phishing';
  if (folder !== 'spamassassin') return 'fixture';
  if (name.startsWith('hard-ham')) return 'hard-ham';
  return name.startsWith('easy-ham') ? 'easy-ham' : 'spam';
};

export const readLabelledMail = (): readonly LabelledMail[] =>
  readdirSync(MAIL_DIR).flatMap((folder) =>
    readdirSync(join(MAIL_DIR, folder))
      .sort()
      .map((name) => ({
        name: `${folder}/${name}`,
        label: labelOf(folder, name),
        bytes: readFileSync(join(MAIL_DIR, folder, name)),
      })),
  );

const HEADER =
  /^(?:authentication-results|arc-[a-z-]+|received-spf|dkim-signature|x-ms-exchange-authentication[a-z-]*|x-forefront-antispam-report|authentication-results-original|x-google-dkim-signature|x-dkim[a-z-]*)\s*:/i;

/** The message without every header that tells how it was authenticated. */
export function withoutAuthentication(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1');
  const end = /\r?\n\r?\n/.exec(text)?.index ?? text.length;
  const kept: string[] = [];
  let isDropped = false;
  for (const line of text.slice(0, end).split('\n')) {
    if (!/^[ \t]/.test(line)) isDropped = HEADER.test(line);
    if (!isDropped) kept.push(line);
  }
  return Buffer.from(kept.join('\n') + text.slice(end), 'latin1');
}

/** The name under which the receiving system of the honeypots writes its results, if the message has one. */
export const authservIdOf = (bytes: Buffer): string | null => {
  const head = bytes.toString('latin1', 0, 64 * 1024);
  const value = /^authentication-results:\s*([^;\s]{1,253})\s*;/im.exec(head)?.[1];
  return value === undefined || value.includes('=') ? null : value;
};

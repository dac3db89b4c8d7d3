import MailComposer from 'nodemailer/lib/mail-composer';

export type MailMessage = {
  /** Becomes the Message-ID: a message that is sent again has the same one. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly dateMs: number;
  readonly headers?: Readonly<Record<string, string>>;
};

export type Mailbox = { readonly name: string; readonly address: string };

/** Mail servers accept far more; a letter is some 5 KB, so more than this is a mistake. */
export const MESSAGE_BYTES_MAX = 256 * 1024;
const HEADER_CHARS_MAX = 998;
const ID = /^[A-Za-z0-9_-]{1,64}$/;
const HEADER_NAME = /^[A-Za-z][A-Za-z0-9-]{0,63}$/;
const CONTROL = /[\p{Cc}\u2028\u2029]/u;

/** Reads `Name <address>` or an address alone, as the configuration allows them. */
export function readMailbox(text: string): Mailbox {
  const match = /^(.*) <([^<>]+)>$/.exec(text);
  return match === null
    ? { name: '', address: text }
    : { name: match[1]?.trim() ?? '', address: match[2] ?? '' };
}

/** The bytes of a message. Refuses a line break in anything that becomes a header, so none can be added. */
export async function composeMessage(from: Mailbox, message: MailMessage): Promise<Buffer> {
  if (!ID.test(message.id)) throw new Error('The id of a message may have letters, digits, - and _ only.');
  const headers = Object.entries(message.headers ?? {});
  for (const [name, value] of [
    ['From', `${from.name} ${from.address}`],
    ['To', message.to],
    ['Subject', message.subject],
    ...headers,
  ] as const)
    if (!HEADER_NAME.test(name) || CONTROL.test(value) || value.length > HEADER_CHARS_MAX)
      throw new Error(`The header ${JSON.stringify(name)} has a line break or is too long.`);
  const host = from.address.slice(from.address.lastIndexOf('@') + 1);
  const composer = new MailComposer({
    from: { name: from.name, address: from.address },
    to: { name: '', address: message.to },
    subject: message.subject,
    text: message.text,
    html: message.html,
    messageId: `<${message.id}@${host}>`,
    date: new Date(message.dateMs),
    // Tells vacation programs not to answer (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated', ...Object.fromEntries(headers) },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const bytes = await composer.compile().build();
  if (bytes.length > MESSAGE_BYTES_MAX)
    throw new Error(`The message has ${bytes.length} bytes; ${MESSAGE_BYTES_MAX} is the most.`);
  return bytes;
}

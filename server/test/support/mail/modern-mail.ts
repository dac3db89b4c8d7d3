import { type MadePart, makeMail } from '#test/mail/made-mail.ts';

export const KINDS = [
  'receipt',
  'reset',
  'newsletter',
  'invoice',
  'invitation',
  'list',
  'forward',
  'ticket',
  'bank',
  'delivery',
  'personal',
  'agency',
] as const;
export type Kind = (typeof KINDS)[number];

/** An honest message of today, written for this project. Names of people and small firms are invented. */
export type ModernMail = {
  readonly kind: Kind;
  readonly from: string;
  readonly subject: string;
  /** Paragraphs. A line of the form `text -> address` is a link with its text. */
  readonly body: string;
  readonly replyTo?: string;
  readonly returnPath?: string;
  readonly headers?: readonly string[];
  /** What the receiving system reports, where it is not a plain pass. */
  readonly auth?: string;
  readonly files?: readonly MadePart[];
  /** Text that mail programs show beside the subject and readers do not see in the message. */
  readonly preview?: string;
  readonly isPlain?: boolean;
};

export const PDF = (text: string): Buffer =>
  Buffer.from(
    `%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n% ${text}\n2 0 obj\n<< /Filter /FlateDecode >>\nendobj\n%%EOF\n`,
  );
export const PNG = Buffer.from('89504e470d0a1a0a0000000d494844520000000100000001080600000', 'hex');
export const pdf = (filename: string, text = filename): MadePart => ({
  type: 'application/pdf',
  content: PDF(text),
  filename,
});
export const LOGO: MadePart = {
  type: 'image/png',
  content: PNG,
  filename: 'logo.png',
  disposition: 'inline',
};

const LINK = /^(.{1,120}) -> (\S+)$/;
const RECEIVER = 'mx.empfang-beispiel.de';

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function htmlOf({ body, preview }: ModernMail): string {
  const lines = body
    .trim()
    .split('\n')
    .map((line) => line.trim());
  const paragraphs = lines.map((line) => {
    const link = LINK.exec(line);
    return link === null
      ? `<p>${escaped(line)}</p>`
      : `<p><a href="${link[2]}">${escaped(link[1] ?? '')}</a></p>`;
  });
  const shown =
    preview === undefined
      ? ''
      : `<div style="display:none;max-height:0">${escaped(preview)}${'&#847;&zwnj;&nbsp;'.repeat(40)}</div>`;
  return `<!DOCTYPE html><html><body>${shown}${paragraphs.join('\n')}</body></html>`;
}

const domainOf = (from: string): string => /@([^>\s]+)/.exec(from)?.[1] ?? '';

export function buildModern(mail: ModernMail): Buffer {
  const { from, subject, replyTo, returnPath, headers = [], auth, files = [], isPlain } = mail;
  const domain = domainOf(from);
  const bounce = returnPath ?? `bounce@${domain}`;
  const results =
    auth ??
    `spf=pass smtp.mailfrom=${domainOf(bounce)}; dkim=pass header.d=${domain}; dmarc=pass (p=REJECT) header.from=${domain}`;
  const text = mail.body
    .trim()
    .split('\n')
    .map((line) => line.trim().replace(LINK, '$1: $2'))
    .join('\n\n');
  return makeMail({
    from,
    subject,
    text,
    ...(isPlain !== true && { html: htmlOf(mail) }),
    parts: files,
    headers: [
      `Return-Path: <${bounce}>`,
      `Authentication-Results: ${RECEIVER}; ${results}`,
      `Received: from out.${domainOf(bounce)} (out.${domainOf(bounce)} [198.51.103.24]) by ${RECEIVER} with ESMTPS id 7fK2; Tue, 18 Aug 2026 08:01:12 +0200`,
      ...(replyTo === undefined ? [] : [`Reply-To: ${replyTo}`]),
      ...headers,
    ],
  });
}

export const UNSUBSCRIBE = (url: string): readonly string[] => [
  `List-Unsubscribe: <${url}>`,
  'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
];

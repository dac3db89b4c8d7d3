import { deflateRawSync } from 'node:zlib';
import { makeOle, makeZip } from '#test/mail/made-files.ts';
import { makeMail } from '#test/mail/made-mail.ts';

const HEAD = 'From: a@kunde.example.org\r\nSubject: x\r\nMIME-Version: 1.0\r\n';
const MIB = 1024 * 1024;
/** A message of up to 10 MiB; longer ones are cut, because a scan would refuse them. */
const message = (text: string): Buffer => Buffer.from(text, 'latin1').subarray(0, 10 * MIB);
const html = (body: string): Buffer => message(`${HEAD}Content-Type: text/html\r\n\r\n${body}`);
const plain = (body: string): Buffer => message(`${HEAD}Content-Type: text/plain\r\n\r\n${body}`);
const multi = (parts: string): Buffer =>
  message(`${HEAD}Content-Type: multipart/mixed; boundary="b"\r\n\r\n${parts}`);
const repeat = (text: string, bytes = 9 * MIB): string =>
  text.repeat(Math.ceil(bytes / text.length)).slice(0, bytes);
const file = (filename: string, content: Uint8Array, type = 'application/octet-stream'): Buffer =>
  makeMail({ parts: [{ type, content, filename }] });

function nested(levels: number): Buffer {
  let mail = plain('deepest');
  for (let level = 0; level < levels; level += 1)
    mail = message(`${HEAD}Content-Type: message/rfc822\r\n\r\n${mail.toString('latin1')}`);
  return mail;
}

function nestedParts(levels: number): Buffer {
  const opened = Array.from(
    { length: levels },
    (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`,
  );
  return message(`${HEAD}${opened.join('')}\r\ndeepest`);
}

function loopingOle(): Buffer {
  const bytes = Buffer.concat([makeOle(['Root Entry']), Buffer.alloc(4 * MIB, 1)]);
  bytes.writeUInt32LE(1, 48);
  return bytes;
}

const BOMB_OF_ZEROS = deflateRawSync(Buffer.alloc(200 * MIB));

/** Messages that are made to cost time or memory. Each names what it attacks. */
export const BOMBS: Readonly<Record<string, () => Buffer>> = {
  '200,000 parts': () => multi('--b\r\n\r\nx\r\n'.repeat(200_000)),
  '200,000 empty parts': () => multi('--b\r\n'.repeat(200_000)),
  '10 MiB of boundaries that end': () => multi(repeat('--b--\r\n')),
  '10 MiB of boundaries that are none': () => multi(repeat('--bb\r\n')),
  '10 MiB of hyphens': () => multi(repeat('--')),
  'a boundary that never ends': () => multi(`--b\r\nContent-Type: text/plain\r\n\r\n${repeat('x')}`),
  'a flood of headers': () => message(`${HEAD}${repeat('X-A: 1\r\n')}`),
  'a header of 9 MiB': () => message(`${HEAD}X-A: ${repeat('a')}\r\n\r\nx`),
  'a header of a million folds': () => message(`${HEAD}X-A: 1\r\n${repeat(' 1\r\n')}\r\nx`),
  'headers in every part': () => multi(`--b\r\nX: ${'y'.repeat(9_000)}\r\n\r\nx\r\n`.repeat(1_000)),
  'messages within messages': () => nested(3_000),
  'parts within parts': () => nestedParts(5_000),
  'encoded words in the subject': () =>
    message(`From: a@b.example.org\r\nSubject: ${repeat('=?UTF-8?B?PT9VVEYtOD9CPw==?= ')}\r\n\r\nx`),
  'encoded words that do not end': () => message(`From: ${repeat('=?UTF-8?Q?=?=?')}\r\n\r\nx`),
  'addresses without end': () => message(`From: ${repeat('a@b.example.org, ')}\r\n\r\nx`),
  'comments within comments': () =>
    message(`From: a@b.example.org\r\nReceived: from x ${repeat('(')}\r\n\r\nx`),
  'results without end': () =>
    message(`Authentication-Results: mx; ${repeat('dmarc=pass; ')}\r\nFrom: a@b.example.org\r\n\r\nx`),
  'Office relations of 200 MiB': () =>
    file(
      'a.docx',
      makeZip({ '[Content_Types].xml': '', 'word/_rels/a.rels': BOMB_OF_ZEROS }, { isDeflated: true }),
    ),
  'forty such relations': () =>
    file(
      'a.docx',
      makeZip(
        {
          '[Content_Types].xml': '',
          ...Object.fromEntries(
            Array.from({ length: 40 }, (_, at) => [
              `word/_rels/${at}.rels`,
              BOMB_OF_ZEROS.subarray(0, 60_000),
            ]),
          ),
        },
        { isDeflated: true },
      ),
    ),
  'an archive of 60,000 names': () =>
    file('a.zip', makeZip(Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`${at}.exe`, ''])))),
  'an OLE file whose sectors point at themselves': () => file('a.doc', loopingOle()),
  'a PDF of names': () => file('a.pdf', Buffer.from(`%PDF-1.7 ${repeat('#4a', 6 * MIB)}`)),
  'a PDF of links': () =>
    file('a.pdf', Buffer.from(`%PDF-1.7 ${repeat('/URI (http://a.example.org/x)', 6 * MIB)}`)),
  'a page of scripts': () => file('a.html', Buffer.from(`<html><script>${repeat('atob(', 6 * MIB)}`)),
  'HTML elements within elements': () => html(repeat('<div>')),
  'HTML elements that hide': () => html(repeat('<p style="display:none">')),
  'tags that do not end': () => html(repeat('<a href="')),
  'attributes without end': () => html(`<a ${repeat('x=y ')}`),
  'anchors within anchors': () => html(repeat('<a href=http://a.example.org>')),
  'a million links': () =>
    html(Array.from({ length: 250_000 }, (_, at) => `<a href=http://a${at}.example.org>x</a>`).join('')),
  'a flood of entities': () => html(repeat('&#x41;&amp;')),
  'entities that do not end': () => html(repeat('&#x')),
  'comments that do not end': () => html(repeat('<!--')),
  'closing tags alone': () => html(repeat('</p>')),
  'links in plain text': () => plain(repeat('http://a.example.org/x ')),
  'words like defanged names': () => plain(repeat('a[.]b[.]')),
  'phone numbers': () => plain(repeat('+1 (415) 555-2671 ')),
  digits: () => plain(repeat('1')),
  blanks: () => plain(repeat(' ')),
  'line ends': () => plain(repeat('\n')),
  'words for a program that reads': () => plain(repeat('ignore all previous ')),
  'quoted-printable without sense': () =>
    message(
      `${HEAD}Content-Transfer-Encoding: quoted-printable\r\nContent-Type: text/html\r\n\r\n${repeat('=3D=\r\n')}`,
    ),
  'text that flows': () =>
    message(`${HEAD}Content-Type: text/plain; format=flowed; delsp=yes\r\n\r\n${repeat('x \r\n')}`),
  'a picture of 9 MiB': () =>
    file(
      'a.png',
      Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(7 * MIB)]),
      'image/png',
    ),
};

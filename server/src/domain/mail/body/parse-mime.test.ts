import { describe, expect, test } from 'vitest';
import { MAIL_LIMITS } from '../limits.ts';
import { parseMime } from './parse-mime.ts';

const LINE = 'All of this is ordinary prose that a scan reads.\r\n';
const LONG = LINE.repeat(Math.ceil((3 * 1024 * 1024) / LINE.length));
/** The line that is cut and the last one still end as lines. */
const LINE_ENDS = 2;
const HEAD = 'From: a@example.com\r\nSubject: x\r\nMIME-Version: 1.0\r\n';
const parse = async (text: string) => {
  const { email, isTextCut } = await parseMime(Buffer.from(text, 'latin1'));
  if (email === null) throw new Error('The structure was not read.');
  return { text: email.text ?? '', html: email.html ?? '', attachments: email.attachments, isTextCut };
};
const multipart = (...parts: readonly string[]) =>
  `${HEAD}Content-Type: multipart/mixed; boundary="b"\r\n\r\n${parts.map((part) => `--b\r\n${part}\r\n`).join('')}--b--\r\n`;
const file = (content: string) =>
  `Content-Type: text/plain\r\nContent-Disposition: attachment; filename="a.txt"\r\n\r\n${content}`;

describe('text beyond what a scan reads is not parsed', () => {
  test.each([
    ['plain text', 'text/plain', MAIL_LIMITS.textCharsMax],
    ['HTML', 'text/html', MAIL_LIMITS.htmlCharsMax],
  ])('%s ends at its limit', async (_, type, limit) => {
    const { text, html, isTextCut } = await parse(`${HEAD}Content-Type: ${type}\r\n\r\n${LONG}`);
    const read = text + html;
    expect(isTextCut).toBe(true);
    expect(read.length).toBeLessThanOrEqual(limit + LINE_ENDS);
    expect(read.length).toBeGreaterThan(limit - 200);
  });

  test('one line of 3 MiB ends there too, also as base64 and as quoted-printable', async () => {
    const line = 'a'.repeat(3 * 1024 * 1024);
    const base64 = Buffer.from(line).toString('base64').replace(/.{76}/g, '$&\r\n');
    const quoted = '=61'.repeat(2 * 1024 * 1024).replace(/.{75}/g, '$&=\r\n');
    for (const [encoding, body] of [
      ['7bit', line],
      ['base64', base64],
      ['quoted-printable', quoted],
    ]) {
      const { text, isTextCut } = await parse(`${HEAD}Content-Transfer-Encoding: ${encoding}\r\n\r\n${body}`);
      expect([encoding, isTextCut]).toEqual([encoding, true]);
      expect(text.length).toBeLessThanOrEqual(MAIL_LIMITS.textCharsMax + LINE_ENDS);
      expect(text.length).toBeGreaterThan(0.9 * MAIL_LIMITS.textCharsMax);
    }
  });

  test('text up to the limit is whole', async () => {
    const whole = LINE.repeat(Math.floor((MAIL_LIMITS.textCharsMax - 100) / LINE.length));
    const { text, isTextCut } = await parse(`${HEAD}\r\n${whole}`);
    expect(isTextCut).toBe(false);
    expect(text.replaceAll('\n', '\r\n')).toBe(whole);
  });

  test('what follows a long text is found: another text part, an attached file and an attached message', async () => {
    const { attachments, html, isTextCut } = await parse(
      multipart(
        `Content-Type: text/plain\r\n\r\n${LONG}`,
        'Content-Type: text/html\r\n\r\n<a href="http://a.example.com">x</a>',
        file('content'),
        'Content-Type: message/rfc822\r\n\r\nSubject: y\r\n\r\ny',
      ),
    );
    expect(isTextCut).toBe(true);
    expect(html).toContain('http://a.example.com');
    expect(attachments.map(({ mimeType }) => mimeType)).toEqual(['text/plain', 'message/rfc822']);
  });

  test('an attached text file and an attached message keep every byte, for their digests', async () => {
    const message = `Subject: y\r\n\r\n${LONG}`;
    const { attachments, isTextCut } = await parse(
      multipart(file(LONG), `Content-Type: message/rfc822\r\n\r\n${message}`),
    );
    expect(isTextCut).toBe(false);
    expect(attachments.map(({ content }) => (content as ArrayBuffer).byteLength)).toEqual(
      [LONG, message].map((text) => `${text}\r\n`.replaceAll('\r\n', '\n').length),
    );
  });
});

import { describe, expect, test } from 'vitest';
import { type Mark, markMessage } from './mark-message.ts';

const marked = (text: string, marks: readonly Mark[] = []) =>
  markMessage(Buffer.from(text, 'latin1'), marks).toString('latin1');

describe('headers of the bridge', () => {
  test('stand on top, folded, and nothing else of the message changes', () => {
    const message = 'Received: x\r\nSubject: a\r\n b\r\n\r\nX-Assay-Verdict: in the body\r\n\xff\x00';
    const reasons = Array.from({ length: 9 }, (_, i) => `link.reason_${i}`).join(', ');
    const [head, rest] = [marked(message, [['X-Assay-Reasons', reasons]]), message];
    expect(head.endsWith(rest)).toBe(true);
    const own = head.slice(0, -rest.length);
    expect(own.replace(/\r\n /g, ' ')).toBe(`X-Assay-Reasons: ${reasons}\r\n`);
    for (const line of own.split('\r\n')) expect(line.length).toBeLessThanOrEqual(78);
  });

  test.each([
    ['in other letters', 'x-aSSay-verdict: clean\r\nFrom: a\r\n\r\nb'],
    ['with continued lines', 'X-Assay-Verdict:\r\n clean\r\n\tmore\r\nFrom: a\r\n\r\nb'],
    ['several', 'X-Assay-Scan: done\r\nX-Assay-Verdict: clean\r\nFrom: a\r\nX-Assay-Score : 0\r\n\r\nb'],
    ['with bare line feeds', 'X-Assay-Scan: done\nFrom: a\r\n\r\nb'],
  ])('of the sender are removed: %s', (_, text) => {
    expect(marked(text)).toBe('From: a\r\n\r\nb');
  });

  test('of the sender are removed behind a line that is no header', () => {
    expect(marked('From: a\r\nno header\r\nX-Assay-Scan: done\r\n\r\nb')).toBe(
      'From: a\r\nno header\r\n\r\nb',
    );
  });

  test('cannot begin another header', () => {
    expect(marked('\r\n', [['X-Assay-Verdict', 'clean\r\nBcc: x\u2028']])).toBe(
      'X-Assay-Verdict: clean??Bcc: x?\r\n\r\n',
    );
  });

  test('a message without a body, and an empty one', () => {
    expect(marked('X-Assay-Scan: done')).toBe('');
    expect(marked('', [['X-Assay-Scan', 'done']])).toBe('X-Assay-Scan: done\r\n');
  });
});

import { expect, test } from 'vitest';
import { readStructured } from './structured-message.ts';

test('the structured form gives the facts of the raw form, without the contents of files', () => {
  const facts = readStructured({
    headers: [
      { name: 'Received', value: 'from a ([198.51.101.7]) by b' },
      { name: 'From', value: 'Other <other@example.net>' },
    ],
    from: 'Anna <anna@kunde.example.org>',
    replyTo: 'x@other.example.net',
    subject: '=?UTF-8?Q?Gr=C3=BC=C3=9Fe?=',
    html: '<a href="http://bad.example.org/">www.bank.com</a>',
    attachments: [{ filename: 'invoice.pdf.exe', sha256: 'AB'.repeat(32), size: 5, inline: false }],
  });
  expect(facts).toMatchObject({
    from: { name: 'Anna', email: { value: 'anna@kunde.example.org' } },
    fromCount: 1,
    subject: 'Grüße',
    received: ['from a ([198.51.101.7]) by b'],
    links: [{ host: { value: 'bad.example.org' }, isMismatch: true }],
    attachments: [
      {
        flags: ['risky_extension', 'double_extension'],
        detectedType: null,
        digests: { sha256: 'ab'.repeat(32) },
      },
    ],
    isStructured: true,
  });
});

test('more files than a scan looks at are cut', () => {
  const attachments = Array.from({ length: 60 }, () => ({ filename: 'a.txt' }));
  expect(readStructured({ attachments }).cuts).toEqual(['attachments']);
});

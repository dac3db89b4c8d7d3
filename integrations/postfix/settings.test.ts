import { expect, test } from 'vitest';
import { readSettings } from './settings.ts';

test('a key is all that has to be set; mail is then delivered with headers whatever happens', () => {
  expect(readSettings({ ASSAY_KEY: 'abc' })).toMatchObject({
    listen: { host: '127.0.0.1', port: 10_025 },
    reinject: { host: '127.0.0.1', port: 10_026 },
    scanUrl: 'http://127.0.0.1:8080/mail/scan',
    onFailure: 'open',
    quarantineTo: null,
  });
});

test.each([
  ['ASSAY_KEY', ''],
  ['ASSAY_LISTEN', '0.0.0.0:25'],
  ['ASSAY_LISTEN', '127.0.0.1'],
  ['ASSAY_REINJECT', 'mail.example.com:25'],
  ['ASSAY_URL', 'file:///etc/passwd'],
  ['ASSAY_ON_FAILURE', 'maybe'],
  ['ASSAY_QUARANTINE_TO', 'a@b.example> RCPT TO:<c@d.example'],
  ['ASSAY_SCANS_AT_ONCE', '0'],
  ['ASSAY_SCAN_DEADLINE_MS', 'soon'],
])('%s=%s is refused by name', (name, value) => {
  expect(() => readSettings({ ASSAY_KEY: 'abc', [name]: value })).toThrow(`${name}:`);
});

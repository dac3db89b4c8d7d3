import { expect, test } from 'vitest';
import { CATALOGUE, findRow, noticeOf } from './catalogue.ts';

const notice = noticeOf(CATALOGUE);

test('the notice names every publisher, list, licence and attribution', () => {
  for (const { id, publisher, name, licence } of CATALOGUE) {
    expect(notice, id).toContain(`\n${publisher}\n`);
    expect(notice, id).toContain(`${name} (${id})`);
    expect(notice, id).toContain(`Licence: ${licence.name}`);
    if (licence.attribution !== undefined)
      expect(notice, id).toContain(`Attribution: ${licence.attribution}`);
  }
});

test.each([
  '© The MITRE Corporation. This work is reproduced and distributed with the permission of The MITRE Corporation.',
  'IP Geolocation by DB-IP, https://db-ip.com',
  'Amnesty International',
  'Echap, CC BY 4.0',
  'Detection Rule License 1.1; author names are kept',
  'Spamhaus Project',
])('the notice holds the sentence that the licence requires: %s', (sentence) => {
  expect(notice).toContain(sentence);
});

test('a list that may not be redistributed says so beside its licence', () => {
  const rows = ['blocklist-de', 'polkadot-phishing'].flatMap((id) => findRow(id) ?? []);
  expect(noticeOf(rows)).toContain(
    [
      'Blocklist.de',
      '  Lists: Blocklist.de, all services (blocklist-de)',
      '  Licence: blocklist.de: free to use',
      '  Passed on: no',
    ].join('\n'),
  );
  expect(noticeOf(rows)).toMatch(/Licence: Apache-2.0\n {2}Passed on: yes/);
});

test('lists of one publisher under one licence share a paragraph', () => {
  expect(notice.split('\nBlocklist.de\n')).toHaveLength(2);
  expect(notice.match(/blocklist\.de: free to use/g)).toHaveLength(1);
});

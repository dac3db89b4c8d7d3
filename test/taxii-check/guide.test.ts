import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CLAUSES, NOTES } from './clauses.ts';
import { ALL_CLIENTS } from './clients/all-clients.ts';
import { CLIENTS } from './options.ts';
import { ALL_FAULTS } from './planted/all-faults.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/guides/taxii-check.md'), 'utf8');
const rowsUnder = (title: string): readonly string[] =>
  (page.split(`## ${title}\n`)[1]?.split('\n\n')[0] ?? '').split('\n').slice(2);

test('the guide has every clause, note and client as the checker has them', () => {
  expect(rowsUnder('Clauses')).toEqual(
    Object.entries(CLAUSES).map(
      ([id, { standard, section, words }]) => `| \`${id}\` | ${standard} ${section} | ${words} |`,
    ),
  );
  expect(rowsUnder('Notes')).toEqual(Object.entries(NOTES).map(([id, words]) => `| \`${id}\` | ${words} |`));
  expect(rowsUnder('Clients')).toEqual(
    ALL_CLIENTS.map(
      ({ client, title, learnt }) => `| \`${client}\` | ${title} | ${learnt.from}: ${learnt.where} |`,
    ),
  );
});

test('every client can be named, and every clause but a few was seen to be broken', () => {
  expect(new Set(ALL_CLIENTS.map(({ client }) => client))).toEqual(new Set(CLIENTS));
  const seen = new Set(ALL_FAULTS.map(({ clause }) => clause));
  // No planted fault breaks these. They need a body that is no JSON, two media types, a wrong type, a bundle.
  const unseen = Object.keys(CLAUSES).filter((clause) => !seen.has(clause as keyof typeof CLAUSES));
  expect(unseen).toEqual(['json', 'modes-agree', 'stix-type', 'stix-bundle']);
});

import { expect, test } from 'vitest';
import { SourceSettings } from '#capabilities/corpus/index.ts';
import { registrySource } from '#test/registry.ts';
import type { Submission } from './contract.ts';
import { rowOfSubmittedSource, settingsOfSubmission } from './submitted-row.ts';

const SUBMISSION: Submission = {
  id: 'sbm_1',
  accountId: 'usr_1',
  name: 'Phish of the day',
  type: 'url',
  url: 'https://lists.example.org/phish.txt',
  category: 'phishing',
  status: 'pending',
  submittedAt: new Date(0),
  decidedAt: null,
  note: null,
};

test('a proposal becomes a scheduled threat source of letter F that is never redistributed', () => {
  const settings = settingsOfSubmission(SUBMISSION);
  expect(SourceSettings.parse(settings)).toEqual(settings);
  expect(settings).toMatchObject({
    threatClass: 'threat',
    fpRisk: 'medium',
    letter: 'F',
    reliability: 0.35,
    category: 'phishing',
    scheduled: true,
    redistributable: false,
    provider: 'lists.example.org',
  });
  expect('category' in settingsOfSubmission({ ...SUBMISSION, category: null })).toBe(false);
});

test('the pipeline runs an approved source as a plain list with bounds and canaries', () => {
  const source = registrySource({
    number: 1,
    url: SUBMISSION.url,
    entityTypes: ['url', 'planet'],
    intervalS: 3_600,
  });
  expect(rowOfSubmittedSource(source)).toMatchObject({
    id: 'list-1',
    publisher: 'lists.example.org',
    urls: [SUBMISSION.url],
    format: { kind: 'plain' },
    entityTypes: ['url'],
    canaries: 'on',
    isDefault: false,
    minIntervalS: 3_600,
    volume: { min: 1, max: 500_000 },
  });
});

test('a hosts file is read as one, a source without an address is not fetched', () => {
  expect(
    rowOfSubmittedSource(registrySource({ number: 1, url: SUBMISSION.url, format: 'hosts' }))?.format,
  ).toEqual({
    kind: 'hosts',
  });
  expect(rowOfSubmittedSource(registrySource({ number: 1 }))).toBeNull();
});

test('a list of telephone numbers is read as one', () => {
  const source = registrySource({ number: 1, url: SUBMISSION.url, type: 'phone', entityTypes: ['phone'] });
  expect(rowOfSubmittedSource(source)).toMatchObject({
    format: { kind: 'plain', entries: 'phone' },
    entityTypes: ['phone'],
  });
});

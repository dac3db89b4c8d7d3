import { expect, test } from 'vitest';
import * as phase from '../check-state.fixture.ts';
import { IP, NAME, stateAfter } from '../check-state.fixture.ts';
import { seenOf } from '../check-state.ts';
import { choosePanels } from './empty-panels.ts';

const FOUND = [
  phase.reputation(),
  phase.basic({ whois: { registrar: 'R' } as never }),
  phase.insights(),
  phase.enrichment(),
  phase.done,
];

test('while the check runs every panel keeps its place', () => {
  const { shown, line } = choosePanels(seenOf(stateAfter(IP, FOUND.slice(0, 3))), true);
  expect(shown).toContain('certificate');
  expect(shown).toContain('technologies');
  expect(line).toBeNull();
});

test('afterwards panels with nothing to say are one line, and the others stay', () => {
  const { shown, line } = choosePanels(seenOf(stateAfter(IP, FOUND)), true);
  expect(shown).toEqual(['network', 'location', 'registration']);
  expect(line).toBe(
    "No data for: open vulnerabilities, community reports, passive DNS, certificate, related infrastructure, technologies. This doesn't mean there is nothing to find.",
  );
});

test('what did not answer keeps its panel, with its reason and a way to ask again', () => {
  const phases = [...FOUND];
  phases[1] = phase.basic({ degraded: ['certificates'] });
  const { shown } = choosePanels(seenOf(stateAfter(IP, phases)), true);
  expect(shown).toContain('certificate');
});

const EVERY_OFF = ['rdap', 'tls', 'ct', 'otx', 'web', 'dns', 'internetdb', 'scanner'] as const;
const withLookups = (asked: readonly (typeof EVERY_OFF)[number][]) =>
  phase.reputation({
    type: 'domain',
    lookups: { asked: [...asked], off: EVERY_OFF.filter((name) => !asked.includes(name)) },
  });

test('with live lookups off, no panel waits for one: the line names them from the first phase on (O80)', () => {
  const seen = seenOf(stateAfter(NAME, [withLookups([])]));
  expect(choosePanels(seen, true)).toEqual({
    shown: ['lookalikes', 'related'],
    line: 'Not looked up, because these live lookups are turned off on this server: registration, DNS, mail posture, certificate, passive DNS, technologies, location, community reports.',
  });
});

test('with one provider on, its panel alone has a place, and the line names the others', () => {
  const { shown, line } = choosePanels(seenOf(stateAfter(NAME, [withLookups(['rdap'])])), true);
  expect(shown).toEqual(['registration', 'lookalikes', 'related']);
  expect(line).not.toMatch(/registration/);
  expect(line).toMatch(/technologies/);
});

test('two panels of one failed lookup say so once', () => {
  const phases = [
    phase.reputation(),
    phase.basic(),
    phase.insights(),
    phase.dns({ nameserverCount: null, degraded: ['dns'] }),
    phase.enrichment(),
    phase.done,
  ];
  const { shown, line } = choosePanels(seenOf(stateAfter(NAME, phases)), true);
  expect(shown).toContain('dns');
  expect(shown).not.toContain('mail');
  expect(line).not.toContain('mail');
});

test('signed out, the line offers the search for look-alikes', () => {
  const named = [
    phase.reputation(),
    phase.basic(),
    phase.insights(),
    phase.dns(),
    phase.enrichment(),
    phase.done,
  ];
  const { shown, line } = choosePanels(seenOf(stateAfter(NAME, named)), false);
  expect(shown).not.toContain('lookalikes');
  expect(line).toMatch(/Sign in to search threat lists for names that imitate this one\.$/);
  expect(choosePanels(seenOf(stateAfter(NAME, named)), true).shown).toContain('lookalikes');
});

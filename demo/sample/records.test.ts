import { describe, expect, test } from 'vitest';
import { readEpss, readKev, readNvd } from '../../server/src/domain/cve/index.ts';
import { parseIndicator } from '../../server/src/domain/indicator/index.ts';
import { readGroupList, readPostList, readPress } from '../../server/src/domain/ransomware/index.ts';
import { renderPasswords } from './breached-passwords.ts';
import { claimsAt, renderClaims, renderGroups, renderPress } from './claims.ts';
import { casesWith, LISTED_TODAY, MEMBERS, OWN_INDICATORS, OWNER, WATCHED } from './organization.ts';
import { SOURCES } from './sources.ts';
import {
  newestVulnerability,
  renderEpss,
  renderKev,
  renderNvd,
  vulnerabilitiesAt,
} from './vulnerabilities.ts';

const TODAY_MS = Date.UTC(2026, 5, 17, 12);
const { known, news } = vulnerabilitiesAt(TODAY_MS);
const RESERVED = /(?:^|[.@])example(?:\.(?:com|net|org))?$/;

describe('the vulnerabilities of the sample', () => {
  test('are read from the formats of their publishers, each of them', () => {
    const all = [...known, ...news];
    const nvd = readNvd('sample', JSON.parse(renderNvd(all)));
    expect([nvd.told.length, nvd.refused]).toEqual([all.length, []]);
    const kev = readKev('sample', renderKev(all, TODAY_MS));
    expect(kev.told.length).toBeGreaterThan(5);
    expect(readEpss('sample', renderEpss(all, TODAY_MS)).told).toHaveLength(all.length);
  });

  test('have numbers that no authority assigns, and distinct ones', () => {
    const ids = [...known, ...news].map(({ id }) => id);
    for (const id of ids) expect(id).toMatch(/^CVE-202[56]-99\d{5}$/);
    expect(new Set(ids).size).toBe(ids.length);
    expect(news.map(({ id }) => id)).toContain(newestVulnerability(TODAY_MS));
  });

  test('are dated relative to the day, and the same otherwise', () => {
    const later = vulnerabilitiesAt(TODAY_MS + 86_400_000);
    expect(later.known.map(({ publishedMs }) => publishedMs - 86_400_000)).toEqual(
      known.map(({ publishedMs }) => publishedMs),
    );
    expect(later.known.map(({ epss, fixedIn }) => [epss, fixedIn])).toEqual(
      known.map(({ epss, fixedIn }) => [epss, fixedIn]),
    );
  });
});

test('claims, groups and articles are read from the formats of their trackers, each of them', () => {
  const claims = claimsAt(TODAY_MS);
  const posts = readPostList(JSON.parse(renderClaims([...claims.known, ...claims.news])));
  expect(posts.rows).toHaveLength(claims.known.length + 1);
  expect(new Set(claims.known.map(({ victim }) => victim)).size).toBe(claims.known.length);
  expect(readGroupList(JSON.parse(renderGroups(TODAY_MS))).rows).toHaveLength(6);
  expect(readPress(JSON.parse(renderPress(claims.known, TODAY_MS))).rows.length).toBeGreaterThan(3);
  for (const { website } of [...claims.known, ...claims.news]) expect(website).toMatch(RESERVED);
});

test('the breached passwords are in the order of their hashes and have the most famous one', () => {
  const lines = renderPasswords().trim().split('\n');
  expect(lines).toEqual(lines.toSorted());
  expect(lines.some((line) => line.startsWith('5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8:'))).toBe(true);
});

describe('the organization of the sample', () => {
  test('has addresses of people and names that are reserved for examples', () => {
    for (const email of [OWNER, ...MEMBERS.map((each) => each.email)]) expect(email).toMatch(RESERVED);
    for (const { type, value } of OWN_INDICATORS) if (type === 'domain') expect(value).toMatch(RESERVED);
  });

  test('watches every value that is listed today, and nothing that cannot be read', () => {
    const watched = WATCHED.map(({ value }) => value as string);
    for (const { source, text } of LISTED_TODAY) {
      expect(watched).toContain(text);
      expect(SOURCES.map(({ id }) => id)).toContain(source);
    }
    for (const value of watched) expect(parseIndicator(value).ok, value).toBe(true);
  });

  test('has cases in every state, each with evidence', () => {
    const cases = casesWith('CVE-2026-9900006');
    expect(new Set(cases.map(({ status }) => status)).size).toBeGreaterThanOrEqual(3);
    for (const { evidence } of cases) expect(evidence.length).toBeGreaterThan(0);
  });
});

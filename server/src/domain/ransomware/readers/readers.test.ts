import { describe, expect, test } from 'vitest';
import { readGalaxy } from './read-galaxy.ts';
import { readGangTable } from './read-gang-table.ts';
import { readGroupList } from './read-group-list.ts';
import { readPostList } from './read-post-list.ts';
import { readPostTable } from './read-post-table.ts';
import { readPress } from './read-press.ts';
import { readTimeMs } from './read-time.ts';

const ONION = 'abcdefghij234567abcdefghij234567abcdefghij234567abcdefgh.onion';

describe('posts as JSON', () => {
  test('the fields of every tracker mean the same', () => {
    const { rows, refused } = readPostList([
      { post_title: 'acme.com', group_name: 'FOG', discovered: '2024-12-16 21:20:33.878129' },
      {
        victim: 'Acme',
        group: 'fog',
        discovered: '2024-12-16T21:20:33Z',
        attackdate: '2024-12-01',
        domain: 'acme.com',
        country: 'USA',
        activity: 'Healthcare',
        claim_url: `http://${ONION}/1`,
        description: 'Words.',
      },
      { post_title: '', group_name: 'x', discovered: '2024-12-16' },
      { post_title: 'a', discovered: '2024-12-16' },
      { post_title: 'a', group_name: 'x', discovered: 'yesterday' },
      null,
    ]);
    expect(refused).toEqual({ 'no victim': 2, 'no group': 1, 'no date': 1 });
    expect(rows[0]).toMatchObject({ groupKey: 'fog', domain: 'acme.com', sector: null, attackedAtMs: null });
    expect(rows[1]).toMatchObject({
      groupKey: 'fog',
      domain: 'acme.com',
      country: 'US',
      sector: 'healthcare',
      attackedAtMs: Date.UTC(2024, 11, 1),
      claimUrl: `hxxp[://]${ONION.replace('.', '[.]')}/1`,
    });
  });

  test('published is not taken for the day of the attack', () => {
    const [row] = readPostList([
      { post_title: 'a', group_name: 'x', discovered: '2024-12-16', published: '2024-10-17' },
    ]).rows;
    expect(row?.attackedAtMs).toBeNull();
  });

  test('a document that is no list has no rows', () => {
    for (const document of [null, 7, 'text', {}, { victims: 'x' }])
      expect(readPostList(document).rows).toEqual([]);
  });
});

describe('posts as a table', () => {
  test('links are dropped, headings left out, and a file that ends in the middle gives the rows before', () => {
    const html = `<table><tr><th>Post</th></tr>
      <tr><td><a href="https://www.google.com/search?q=a">Acme &amp; Co</a></td><td><a href="http://${ONION}">akira</a></td><td>2024-06-18 15:34:57.344538</td></tr>
      <tr><td>beta.com</td><td>qilin</td><td>2026-05-07</td><td>de</td></tr>
      <tr><td><a href="https://www.g`;
    const { rows } = readPostTable(html);
    expect(rows.map(({ name, groupKey, country }) => [name, groupKey, country])).toEqual([
      ['Acme & Co', 'akira', null],
      ['beta.com', 'qilin', 'DE'],
    ]);
  });

  test('a hostile cell is text', () => {
    const [row] = readPostTable(
      '<tr><td>&lt;script&gt;x&lt;/script&gt;</td><td>akira</td><td>2024-06-18</td></tr>',
    ).rows;
    expect(row?.name).toBe('‹script›x‹/script›');
  });
});

describe('groups', () => {
  test('ransomwatch: sites, aliases that it names, and no link to a leak', () => {
    const [group] = readGroupList([
      {
        name: 'alphv',
        meta: `aka blackcat - fileserver ${ONION}`,
        locations: [{ fqdn: ONION, title: 'Blog', available: true, updated: '2023-08-23 16:10:45.652000' }],
        profile: ['https://example.com/report', 'https://t.me/alphv', `http://${ONION}/x`],
      },
    ]).rows;
    expect(group).toMatchObject({
      aliases: ['blackcat'],
      references: ['https://example.com/report'],
      isSeized: false,
      locations: [{ fqdn: ONION.replace('.', '[.]'), available: true }],
    });
    expect(JSON.stringify(group)).not.toMatch(/[^\]]\.onion/);
  });

  test('seized: a source says so, and no other site of it answers', () => {
    const site = (title: string | null, available: boolean) => ({ fqdn: ONION, title, available });
    const seized = 'This hidden site has been seized';
    const of = (...locations: object[]) => readGroupList([{ name: 'x', locations }]).rows[0]?.isSeized;
    expect(of(site(seized, true), site(null, false))).toBe(true);
    expect(of(site(seized, true), site('Blog', true))).toBe(false);
    expect(of(site('Blog', false))).toBe(false);
  });

  test('deepdarkCTI: rows of one group are one, and trackers are no groups', () => {
    const { rows } = readGangTable(
      [
        '|Name|Status|',
        '| ------ | ------ |',
        `|[Ransomfeed](https://example.com)|ONLINE||`,
        `|[0mega (Dark)](http://${ONION})|ONLINE||`,
        '|[0mega (Deep)](https://0mega.cc)|OFFLINE||',
        `|[SPIDER](http://${ONION})|OFFLINE (Siezed)||`,
      ].join('\n'),
      0,
    );
    expect(rows.map(({ key, locations, isSeized }) => [key, locations.length, isSeized])).toEqual([
      ['0mega', 2, false],
      ['spider', 1, true],
    ]);
  });

  test('MISP galaxy: other names, techniques and notes', () => {
    const [group] = readGalaxy({
      values: [
        {
          value: 'BlackCat Ransomware',
          description: `Seen at http://${ONION}/.`,
          meta: {
            synonyms: ['ALPHV', 'blackcat'],
            TTP: ['Phishing - T1566', 'nonsense'],
            ransomnotes: ['x'],
          },
        },
      ],
    }).rows;
    expect(group).toMatchObject({
      key: 'blackcat',
      name: 'BlackCat',
      aliases: ['ALPHV'],
      techniques: [{ techniqueId: 'T1566', technique: 'Phishing' }],
      hasNotes: true,
    });
    expect(group?.description).not.toMatch(/[^\]]\.onion/);
  });
});

test('press: victim, day and publisher of an article; a link that no browser should open is refused', () => {
  const entry = {
    date: '2026-08-18',
    victim: 'Acme',
    domain: 'acme.com',
    country: 'USA',
    title: 'Acme <b>hit</b>',
  };
  const { rows, refused } = readPress([
    { ...entry, url: 'https://www.example.com/a' },
    { ...entry, url: 'javascript:alert(1)' },
    { ...entry, url: `http://${ONION}/` },
  ]);
  expect(refused).toEqual({ 'no address': 2 });
  expect(rows).toMatchObject([
    { victim: 'Acme', domain: 'acme.com', country: 'US', publisher: 'example.com', title: 'Acme ‹b›hit‹/b›' },
  ]);
});

test('days that no calendar has are no dates', () => {
  for (const text of ['2024-02-30', '2024-13-01', '1999-01-01', '20240101', 'x', 7])
    expect(readTimeMs(text), String(text)).toBeNull();
  expect(readTimeMs('2024-02-29')).toBe(Date.UTC(2024, 1, 29));
});

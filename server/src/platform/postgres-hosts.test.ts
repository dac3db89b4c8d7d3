import { describe, expect, test } from 'vitest';
import { isPostgresUrl, sharedPartsOf, singleHostUrls } from './postgres-hosts.ts';
import { showSetting } from './sensitive-settings.ts';

const SEVERAL = 'postgres://app:p%2Cw@db1.example:5432,db2.example,[2001:db8::7]:6432/assay?sslmode=require';

describe('a connection string with several hosts', () => {
  test('is one connection string for each host, with the same login and database', () => {
    expect(singleHostUrls(SEVERAL)).toEqual([
      'postgres://app:p%2Cw@db1.example:5432/assay?sslmode=require',
      'postgres://app:p%2Cw@db2.example/assay?sslmode=require',
      'postgres://app:p%2Cw@[2001:db8::7]:6432/assay?sslmode=require',
    ]);
    expect(sharedPartsOf(SEVERAL).pathname).toBe('/assay');
    expect(sharedPartsOf(SEVERAL).username).toBe('app');
  });

  test('an ordinary connection string stays as it is, also with a comma in its password or its options', () => {
    for (const url of [
      'postgres://postgres@127.0.0.1:5432/assay',
      'postgres://app:a,b@db.example/assay',
      'postgres://db.example/assay?options=-c%20a=1,2',
    ])
      expect(singleHostUrls(url)).toEqual([url]);
  });

  test('a setting takes up to eight hosts and nothing that is no PostgreSQL', () => {
    expect(isPostgresUrl(SEVERAL)).toBe(true);
    const hosts = (count: number) => Array.from({ length: count }, (_, nth) => `h${nth}:5432`).join(',');
    expect(isPostgresUrl(`postgresql://a:b@${hosts(8)}/assay`)).toBe(true);
    expect(isPostgresUrl(`postgresql://a:b@${hosts(9)}/assay`)).toBe(false);
    for (const text of ['', 'assay', 'redis://h1,h2/0', 'postgres://h1:x,h2/assay'])
      expect(isPostgresUrl(text), text).toBe(false);
  });

  test('the log shows its hosts and neither login nor options', () => {
    expect(showSetting('DATABASE_URL', SEVERAL)).toBe(
      'postgres://db1.example:5432,db2.example,[2001:db8::7]:6432/assay',
    );
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { mergeSettings, readSettingsPlaces } from './settings-files.ts';

const root = mkdtempSync(join(tmpdir(), 'assay-settings-'));
afterAll(() => rmSync(root, { recursive: true }));
const put = (file: string, text: string) => writeFileSync(join(root, file), text);

const read = (environment: Record<string, string>) => {
  const { written, generated } = readSettingsPlaces(environment, { root, cwd: root });
  return mergeSettings([environment, written, generated]);
};

describe('settings from files', () => {
  test('the environment wins over .env, and .env over what npm start generated; an empty value is unset', () => {
    put('.env.example', '# HTTP_PORT=8080\n# LOG_LEVEL=info\n# SECRET_KEY=1:x\n# DATA_DIR=./data\n');
    put(
      '.env',
      'HTTP_PORT=1002\nLOG_LEVEL="warn" # quoted\nSECRET_KEY=\nDATA_DIR=.\nPOSTGRES_PASSWORD=of-the-owner\n',
    );
    put('assay.env', "HTTP_PORT=1003\nLOG_LEVEL=error\nSECRET_KEY='1:generated'\n");
    expect(read({ HTTP_PORT: '1001', LOG_LEVEL: '' })).toEqual({
      HTTP_PORT: '1001',
      LOG_LEVEL: 'warn',
      SECRET_KEY: '1:generated',
      DATA_DIR: '.',
    });
  });

  test('a variable that only Docker Compose knows does not reach the service', () => {
    expect(Object.keys(read({}))).not.toContain('POSTGRES_PASSWORD');
  });

  test('without files the environment is all there is', () => {
    const nowhere = { root: join(root, 'absent'), cwd: join(root, 'absent') };
    expect(readSettingsPlaces({ A: '1' }, nowhere)).toMatchObject({ written: {}, generated: {} });
  });
});

describe('merging', () => {
  test('a secret in a file of the operator hides the generated one', () => {
    expect(mergeSettings([{ KEY_PEPPER_FILE: '/run/pepper' }, { KEY_PEPPER: '1:generated' }])).toEqual({
      KEY_PEPPER_FILE: '/run/pepper',
    });
  });

  test('connection strings of two databases are never mixed', () => {
    const generated = {
      DATABASE_URL: 'app@a',
      SYSTEM_DATABASE_URL: 'system@a',
      MIGRATE_DATABASE_URL: 'owner@a',
    };
    expect(mergeSettings([{ DATABASE_URL: 'me@b' }, generated])).toEqual({ DATABASE_URL: 'me@b' });
    expect(mergeSettings([{ MIGRATE_DATABASE_URL: 'me@a' }, generated])).toEqual({
      ...generated,
      MIGRATE_DATABASE_URL: 'me@a',
    });
  });
});

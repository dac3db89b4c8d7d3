import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { defaultListeners, loadConfig } from './config.ts';

const OWN_SECRETS = {
  SECRET_KEY: `2:${'n'.repeat(40)},1:${'o'.repeat(40)}`,
  KEY_PEPPER: `1:${'p'.repeat(40)}`,
  DATABASE_URL: 'postgres://assay_app_login:of-the-operator@127.0.0.1:5432/assay',
};

describe('configuration', () => {
  test('an empty environment is a working development setup', () => {
    expect(loadConfig({})).toMatchObject({ ASSAY_ENV: 'development', HTTP_PORT: 8080, REQUIRE_HTTPS: false });
  });

  test('production refuses the development secrets and names each of them', () => {
    expect(() => loadConfig({ ASSAY_ENV: 'production' })).toThrow(
      /SECRET_KEY[\s\S]*KEY_PEPPER[\s\S]*DATABASE_URL/,
    );
    expect(loadConfig({ ASSAY_ENV: 'production', ...OWN_SECRETS }).REQUIRE_HTTPS).toBe(true);
  });

  test('production refuses the exception for powerful logins, which is off everywhere else', () => {
    const allowed = { ...OWN_SECRETS, ALLOW_POWERFUL_LOGIN: 'true' };
    expect(() => loadConfig({ ASSAY_ENV: 'production', ...allowed })).toThrow(/ALLOW_POWERFUL_LOGIN/);
    expect(loadConfig(allowed).ALLOW_POWERFUL_LOGIN).toBe(true);
    expect(loadConfig({}).ALLOW_POWERFUL_LOGIN).toBe(false);
  });

  test('all problems are reported at once', () => {
    expect(() =>
      loadConfig({ HTTP_PORT: 'eighty', LOG_LEVEL: 'loud', TRUSTED_PROXIES: '10.0.0.0/33' }),
    ).toThrow(
      /HTTP_PORT[\s\S]*TRUSTED_PROXIES[\s\S]*LOG_LEVEL|HTTP_PORT[\s\S]*LOG_LEVEL[\s\S]*TRUSTED_PROXIES|TRUSTED_PROXIES[\s\S]*HTTP_PORT/,
    );
  });

  test('two listeners from two cores on, so that one that ends is no outage; the operator may say otherwise', () => {
    expect(defaultListeners(1, 'linux')).toBe(1);
    expect(defaultListeners(2, 'linux')).toBe(2);
    expect(defaultListeners(64, 'linux')).toBe(2);
    // A shared port is balanced on Linux only.
    expect(defaultListeners(8, 'darwin')).toBe(1);
    expect(loadConfig({}).HTTP_PROCESSES).toBe(defaultListeners(availableParallelism(), process.platform));
    expect(loadConfig({ HTTP_PROCESSES: '1' }).HTTP_PROCESSES).toBe(1);
  });

  test('a connection string may name several hosts', () => {
    const url = 'postgres://app:secret@db1:5432,db2:5432/assay';
    expect(loadConfig({ DATABASE_URL: url }).DATABASE_URL).toBe(url);
    expect(() => loadConfig({ DATABASE_URL: 'mysql://db1,db2/assay' })).toThrow(/postgres:\/\/USER/);
  });

  test('a clock offset is honoured in tests only', () => {
    expect(loadConfig({ ASSAY_ENV: 'test', CLOCK_OFFSET_MS: '5000' }).CLOCK_OFFSET_MS).toBe(5_000);
    expect(loadConfig({ CLOCK_OFFSET_MS: '5000' }).CLOCK_OFFSET_MS).toBe(0);
  });

  test('a secret may come from a file; an empty variable counts as absent', () => {
    const dir = mkdtempSync(join(tmpdir(), 'assay-config-'));
    const file = join(dir, 'pepper');
    writeFileSync(file, `${OWN_SECRETS.KEY_PEPPER}\n`);
    expect(loadConfig({ KEY_PEPPER: '', KEY_PEPPER_FILE: file }).KEY_PEPPER).toBe(OWN_SECRETS.KEY_PEPPER);
    rmSync(dir, { recursive: true });
  });

  test('trusted proxies are a list of CIDRs and nothing looser', () => {
    expect(loadConfig({ TRUSTED_PROXIES: '10.0.0.0/8, ::1' }).TRUSTED_PROXIES).toEqual(['10.0.0.0/8', '::1']);
    for (const loose of ['true', '1', 'loopback', '10.0.0.0/8/9'])
      expect(() => loadConfig({ TRUSTED_PROXIES: loose })).toThrow(/TRUSTED_PROXIES/);
  });

  test('a short secret and an unknown engine address are refused', () => {
    expect(() => loadConfig({ SECRET_KEY: '1:short' })).toThrow(/SECRET_KEY/);
    expect(() => loadConfig({ REDIS_URL: 'http://127.0.0.1' })).toThrow(/REDIS_URL/);
    expect(loadConfig({ REDIS_URL: 'redis+cluster://127.0.0.1:7001,127.0.0.1:7002' }).REDIS_URL).toContain(
      '7002',
    );
  });
});

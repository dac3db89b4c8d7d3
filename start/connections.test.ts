import { expect, test } from 'vitest';
import type { SettingsPlaces, Values } from '../server/launch/settings-files.ts';
import { findOwner, serviceConnections, valuesToKeep } from './connections.ts';

const places = (environment: Values, written: Values = {}, generated: Values = {}): SettingsPlaces => ({
  environment,
  written,
  generated,
  generatedFile: '/data/assay.env',
});
const SERVER = 'postgres://me:mine@db.example:5433/assay';

test('DATABASE_URL names the owner, and the service gets logins of its own with passwords of its own', () => {
  const given = places({ DATABASE_URL: SERVER });
  const owner = findOwner(given);
  expect(owner).toMatchObject({ url: SERVER, from: 'operator', setting: 'DATABASE_URL' });
  const { DATABASE_URL: app, SYSTEM_DATABASE_URL: system = '' } = serviceConnections(owner.url, given);
  expect(app).toMatch(/^postgres:\/\/assay_app_login:[0-9a-f]{48}@db\.example:5433\/assay$/);
  expect(system).toMatch(/^postgres:\/\/assay_system_login:[0-9a-f]{48}@db\.example:5433\/assay$/);
  expect(new URL(app).password).not.toBe(new URL(system).password);
});

test('logins of another database do not take those of this one', () => {
  const { DATABASE_URL } = serviceConnections('postgres://me@h/assay-2', places({}));
  expect(new URL(DATABASE_URL).username).toBe('assay_2_app_login');
});

test('a second start keeps every secret, also when the server moved', () => {
  const first = places({ DATABASE_URL: SERVER });
  const kept = valuesToKeep(first, serviceConnections(SERVER, first));
  expect(kept).toMatchObject({
    SECRET_KEY: expect.stringMatching(/^1:[0-9a-f]{64}$/),
    MIGRATE_DATABASE_URL: SERVER,
  });
  const again = places({}, {}, kept);
  expect(findOwner(again)).toMatchObject({ url: SERVER, from: 'earlier start' });
  expect(valuesToKeep(again, serviceConnections(SERVER, again))).toEqual(kept);
  const moved = valuesToKeep(again, serviceConnections('postgres://me@new.example/assay', again));
  expect(moved).toMatchObject({ SECRET_KEY: kept.SECRET_KEY, KEY_PEPPER: kept.KEY_PEPPER });
  expect(new URL(moved.DATABASE_URL ?? '').host).toBe('new.example');
  expect(new URL(moved.DATABASE_URL ?? '').password).toBe(new URL(kept.DATABASE_URL ?? '').password);
});

test('connection strings and secrets of the operator are used and not written down again', () => {
  const own = { MIGRATE_DATABASE_URL: SERVER, DATABASE_URL: 'postgres://app:x@db.example/assay' };
  const given = places({}, { ...own, SECRET_KEY: '1:mine', REDIS_URL: 'redis://written' });
  const connections = serviceConnections(findOwner(given).url, given);
  expect(connections).toEqual({
    DATABASE_URL: own.DATABASE_URL,
    SYSTEM_DATABASE_URL: undefined,
    MIGRATE_DATABASE_URL: undefined,
  });
  expect(Object.entries(valuesToKeep(given, connections)).filter(([, value]) => value !== undefined)).toEqual(
    [['KEY_PEPPER', expect.any(String)]],
  );
});

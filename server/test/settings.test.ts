import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { COMPOSE, type ComposeFile, DEMO_COMPOSE, reasonOf } from '#app/compose-settings.ts';
import { describeStart } from '#app/report-start.ts';
import { type Config, Environment, loadConfig, unusedSettings } from '#platform/config.ts';
import { type ComposeService, readCompose } from '#test/compose-file.ts';
import { readDotEnv, readEnvironmentFile, readUnit } from '#test/env-files.ts';
import { envLine, settingSamples } from '#test/setting-samples.ts';

const ROOT = join(import.meta.dirname, '../..');
const PRINT = join(import.meta.dirname, 'support/print-config.ts');
const COMPOSE_YAML = join(ROOT, 'compose.yaml');
const DEMO_YAML = join(ROOT, 'compose.demo.yaml');
const NAMES = Object.keys(Environment.shape);
const dir = mkdtempSync(join(tmpdir(), 'assay-settings-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const samples: Readonly<Record<string, string>> = settingSamples();
/** The values that deploy/prepare-env.sh writes and that are not settings of the service. */
const PREPARED = Object.fromEntries(
  ['POSTGRES_PASSWORD', 'APP_PASSWORD', 'SYSTEM_PASSWORD', 'REDIS_PASSWORD', 'NODE_IMAGE'].map((name) => [
    name,
    'x',
  ]),
);
const ENGINE_IMAGES = { POSTGRES_IMAGE: 'postgres@sha256:0', REDIS_IMAGE: 'redis@sha256:0' };
const prepared = { ...PREPARED, ...ENGINE_IMAGES };
const fileOf = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${envLine(name, value)}\n`)
    .join('');
const compose = (values: Readonly<Record<string, string>>, ...more: string[]) =>
  readCompose([COMPOSE_YAML, ...more], readDotEnv(fileOf({ ...prepared, ...values })));

type Printed = { readonly config: Config; readonly changed: Readonly<Record<string, string>> };
/** Starts a process with this environment and nothing else; it prints the configuration that it read. */
const started = (env: Readonly<Record<string, string>>): Printed =>
  JSON.parse(execFileSync(process.execPath, [PRINT], { env, encoding: 'utf8' })) as Printed;

const expected = (env: Readonly<Record<string, string>>): unknown => {
  const config = loadConfig(env);
  return JSON.parse(JSON.stringify({ ...config, STRIPE_PRICES: Object.fromEntries(config.STRIPE_PRICES) }));
};
const without = (env: Readonly<Record<string, string>>, fixed: ComposeFile['fixed']) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !(name in fixed)));
/** The values that the compose file itself gives to the settings it fixes. */
const fixedOf = (env: Readonly<Record<string, string>>, { fixed }: ComposeFile) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => name in fixed));
const serviceOf = (services: Readonly<Record<string, ComposeService>>, name: string) =>
  services[name]?.environment ?? {};

describe('every setting of .env reaches the process', () => {
  test('through compose.yaml, or it is in the list of settings that the file fixes', () => {
    const services = compose(samples);
    const api = serviceOf(services, 'api');
    const { config, changed } = started(api);
    expect(config).toEqual(expected({ ...without(samples, COMPOSE.fixed), ...fixedOf(api, COMPOSE) }));
    expect(Object.keys(changed)).toEqual(
      expect.arrayContaining(Object.keys(without(samples, COMPOSE.fixed))),
    );
    const { MIGRATE_DATABASE_URL: owner, ...migrate } = serviceOf(services, 'migrate');
    expect(owner).toBe('postgres://assay:x@postgres:5432/assay');
    for (const env of [migrate, serviceOf(services, 'worker'), serviceOf(services, 'admin')])
      expect(env).toEqual(api);
  });

  test('through compose.demo.yaml, for the seed and for the services', () => {
    const services = compose(samples, DEMO_YAML);
    const given = without(samples, DEMO_COMPOSE.fixed);
    const seed = serviceOf(services, 'demo-seed');
    expect(started(seed).config).toEqual(expected({ ...given, ...fixedOf(seed, DEMO_COMPOSE) }));
    for (const env of [seed, serviceOf(services, 'api'), serviceOf(services, 'worker')]) {
      expect(env).toMatchObject({ DEMO: 'true', FEEDS_ENABLED: 'false' });
      expect(loadConfig(env)).toEqual(loadConfig({ ...given, ...fixedOf(env, DEMO_COMPOSE) }));
    }
  });

  test.each(['assay-api', 'assay-worker'])('through EnvironmentFile of %s.service', (name) => {
    const unit = readUnit(readFileSync(join(ROOT, `deploy/${name}.service`), 'utf8'));
    expect(unit.EnvironmentFile?.[0]).toBe('/etc/assay/assay.env');
    const own = Object.fromEntries(
      (unit.Environment?.[0] ?? '')
        .replaceAll('%S', '/var/lib')
        .replaceAll('%C', '/var/cache')
        .split(' ')
        .map((pair) => pair.split('=') as [string, string]),
    );
    // systemd lets a file override Environment=.
    const env = { ...own, ...readEnvironmentFile(fileOf(samples)) };
    if (name === 'assay-api') expect(started(env).config).toEqual(expected(samples));
    else expect(loadConfig(env)).toEqual(loadConfig(samples));
    expect(
      loadConfig({
        ...own,
        ...readEnvironmentFile(
          fileOf(without(samples, { ASSAY_ENV: '', ALLOW_POWERFUL_LOGIN: '', DATA_DIR: '' })),
        ),
      }),
    ).toMatchObject({ ASSAY_ENV: 'production', DATA_DIR: '/var/lib/assay' });
  });

  test('a value in single quotes is the same for Compose, systemd and Node', () => {
    const values = Object.fromEntries(Object.entries(samples).filter(([, value]) => !value.includes("'")));
    const text = fileOf(values);
    for (const read of [readDotEnv(text), readEnvironmentFile(text), { ...parseEnv(text) }])
      expect(read).toEqual(values);
  });
});

describe('what .env leaves out', () => {
  const secrets = { SECRET_KEY: `1:${'s'.repeat(40)}`, KEY_PEPPER: `1:${'p'.repeat(40)}` };
  test.each([
    ['is not there', secrets],
    ['is empty', { ...Object.fromEntries(NAMES.map((name) => [name, ''])), ...secrets }],
  ])('a setting that %s has its default, in production', (_what, values) => {
    const api = serviceOf(compose(values), 'api');
    expect(loadConfig(api)).toEqual(
      loadConfig({ ...secrets, ...fixedOf(api, COMPOSE), ...COMPOSE.defaults }),
    );
    expect(unusedSettings(api)).toEqual([]);
  });

  test('an empty value is unset for each setting', () => {
    expect(loadConfig(Object.fromEntries(NAMES.map((name) => [name, ''])))).toEqual(loadConfig({}));
  });

  test.each(['SECRET_KEY', 'APP_PASSWORD'])(
    'compose stops without %s and says which command writes it',
    (name) => {
      expect(() => compose({ ...secrets, [name]: '' })).toThrow(
        `run deploy/prepare-env.sh, which writes ${name} to .env`,
      );
    },
  );
});

describe('settings that a compose file does not use', () => {
  const services = compose(samples, DEMO_YAML);
  const files = Object.fromEntries(NAMES.map((name) => [`${name}_FILE`, join(dir, name)]));

  test('each is reported with its reason', () => {
    expect(unusedSettings(serviceOf(compose(samples), 'api')).toSorted()).toEqual(
      Object.keys(COMPOSE.fixed).toSorted(),
    );
    for (const name of ['api', 'worker', 'demo-seed'])
      expect(unusedSettings(serviceOf(services, name)).toSorted()).toEqual(
        Object.keys(DEMO_COMPOSE.fixed).toSorted(),
      );
    for (const name of Object.keys(DEMO_COMPOSE.fixed)) expect(reasonOf(name)).toMatch(/^[A-Z].+\.$/);
  });

  test('a file with the value is read for optional secrets and reported for all other settings', () => {
    const { MAIL_CA_FILE: _a, WEBHOOK_CA_FILE: _b, ...given } = files;
    const api = serviceOf(compose({ SECRET_KEY: '1', KEY_PEPPER: '1', ...given }), 'api');
    const passed = Object.keys(api).filter((name) => name in given && api[name] !== '');
    expect(passed).toContain('STRIPE_SECRET_KEY_FILE');
    expect([...passed, ...unusedSettings(api)].toSorted()).toEqual(Object.keys(given).toSorted());
    expect(reasonOf('SECRET_KEY_FILE')).toContain('needs SECRET_KEY itself');
    expect(reasonOf('LOG_LEVEL_FILE')).toContain('Set LOG_LEVEL itself');
    writeFileSync(files.STRIPE_SECRET_KEY_FILE ?? '', 'sk_1\n');
    const env = { STRIPE_SECRET_KEY: '', STRIPE_SECRET_KEY_FILE: files.STRIPE_SECRET_KEY_FILE };
    expect(() => loadConfig(env)).toThrow('STRIPE_WEBHOOK_SECRET is missing');
    expect(() => loadConfig({ OTX_KEY_FILE: join(dir, 'absent') })).toThrow(
      /OTX_KEY_FILE names .*absent.*ENOENT/,
    );
  });

  test('a setting that has an effect in tests only is reported elsewhere', () => {
    vi.stubEnv('CLOCK_OFFSET_MS', '5000');
    vi.stubEnv('UNUSED_SETTINGS', 'HTTP_PORT');
    try {
      expect(describeStart(loadConfig({ ASSAY_ENV: 'test' })).warnings).toEqual([
        `Warning: HTTP_PORT has no effect. ${reasonOf('HTTP_PORT')}`,
      ]);
      expect(describeStart(loadConfig({})).warnings).toContain(
        'Warning: CLOCK_OFFSET_MS has no effect. It is for tests: ASSAY_ENV=test.',
      );
    } finally {
      vi.unstubAllEnvs();
    }
  });
});

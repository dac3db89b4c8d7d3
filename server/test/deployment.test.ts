import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { LIVE_HINT } from '#app/live-hint.ts';
import { readDotEnv } from '#test/env-files.ts';

const ROOT = join(import.meta.dirname, '../..');
const dir = mkdtempSync(join(tmpdir(), 'assay-deployment-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

type ComposeService = {
  readonly image?: string;
  readonly user?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly tmpfs?: readonly string[];
  readonly mem_limit?: string;
  readonly pids_limit?: number;
  readonly ports?: readonly string[];
  readonly privileged?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
};
const readCompose = (file: string) => {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const { services } = parse(text, { merge: true }) as { services: Record<string, ComposeService> };
  return { text, services };
};
const compose = readCompose('compose.yaml');
const demo = readCompose('compose.demo.yaml');
const SECRET = /PASSWORD|SECRET|PEPPER|TOKEN|_IMAGE/;
const OPTIONAL = /^(STRIPE|CLOUDFLARE|INTELOWL)_/;
const variablesOf = (text: string) => [...text.matchAll(/\$\{([A-Z_]+)(:?[-?+])?([^}]*)\}/g)];
/** The overlay of the demonstration changes two services of compose.yaml and adds one. */
const all = { ...compose.services, 'demo-seed': demo.services['demo-seed'] ?? {} };

describe('compose.yaml', () => {
  test.each([
    ['compose.yaml', compose.text],
    ['compose.demo.yaml', demo.text],
  ])('%s: a secret, password or image that is not given stops the start with a sentence', (_file, text) => {
    const found = variablesOf(text).filter(([, name = '']) => SECRET.test(name));
    expect(found.length).toBeGreaterThan(4);
    for (const [whole, name = '', operator, word = ''] of found)
      if (operator === ':+') expect(word, whole).toBe(name);
      // A credential of another service is optional, and has no default.
      else if (operator === ':-') expect([whole, OPTIONAL.test(name)]).toEqual([`\${${name}:-}`, true]);
      else {
        expect(operator, whole).toBe(':?');
        expect(word, whole).toMatch(/^run deploy\/prepare-env\.sh, which writes .+ to \.env$/);
      }
    expect(text).not.toMatch(/^\s*[A-Z_]*(PASSWORD|SECRET|KEY|PEPPER|TOKEN): +("?[^"$\s]|"")/m);
  });

  test('every password of a connection string is a variable', () => {
    for (const [name, { environment = {} }] of Object.entries(all))
      for (const [variable, value] of Object.entries(environment))
        if (/^(postgres|redis):\/\//.test(String(value)))
          expect(value, `${name} ${variable}`).toMatch(/:\/\/[a-z_]+:\$\{[A-Z_]+:\?[^}]+\}@/);
  });

  test('only migrate, and the seed of the demonstration, have the login of the owner', () => {
    const withOwner = Object.entries(all).flatMap(([name, { environment = {} }]) =>
      JSON.stringify(environment).includes('POSTGRES_PASSWORD') ? [name] : [],
    );
    expect(withOwner).toEqual(['postgres', 'migrate', 'demo-seed']);
  });

  test.each(Object.entries(all))('%s is hardened', (_name, service) => {
    expect(service.read_only).toBe(true);
    expect(service.cap_drop).toEqual(['ALL']);
    expect(service.security_opt).toEqual(['no-new-privileges:true']);
    expect(service.mem_limit).toMatch(/^(\$\{[A-Z_]+:-)?\d+[gm]\}?$/);
    expect(service.pids_limit).toBeGreaterThan(0);
    expect(service.privileged).toBeUndefined();
    for (const mount of service.tmpfs ?? []) expect(mount).toMatch(/size=\d+m/);
  });

  test('only the API publishes a port, on loopback unless told otherwise', () => {
    const published = Object.entries(all).filter(([, { ports = [] }]) => ports.length > 0);
    expect(published.map(([name, { ports }]) => [name, ports])).toEqual([
      ['api', [`\${API_BIND:-127.0.0.1:8080}:8080`]],
    ]);
  });

  test('no file of the deployment names an image by its tag alone', () => {
    for (const [name, { image }] of Object.entries(all))
      if (image !== 'assay:local') expect(image, name).toMatch(/^\$\{[A-Z]+_IMAGE:\?/);
    const dockerfile = readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8');
    expect(dockerfile.match(/^FROM .*/gm)?.every((line) => line.startsWith(`FROM \${NODE_IMAGE}`))).toBe(
      true,
    );
    expect(dockerfile).toMatch(/^ARG NODE_IMAGE$/m);
  });
});

/** The service of a `docker compose` command: the first word after its options, some of which take a value. */
const SERVICE =
  /^docker compose (?:-f \S+ )*(?:exec|run|logs|stop|up|restart)((?: -T| --(?:rm|no-deps|build|detach)| --(?:volume|entrypoint) \S+)*)(?: ([a-z][a-z-]*))?/gm;

test.each(['docs/operating/compose.md', 'docs/operating/upgrade.md', 'docs/demo.md'])(
  'every command of %s is about a service of the compose files, and every example is a part of one',
  (page) => {
    const text = readFileSync(join(ROOT, page), 'utf8');
    const commands = text.match(/^docker compose .*/gm) ?? [];
    expect([...text.matchAll(SERVICE)].length).toBe(
      commands.filter((each) => !/ down( |$)/.test(each)).length,
    );
    for (const [command, , service] of text.matchAll(SERVICE))
      if (service !== undefined) expect(Object.keys(all), command).toContain(service);
    for (const [, example = ''] of text.matchAll(/```yaml\n([^`]*)```/g)) {
      const { services } = parse(example) as { services: Record<string, object> };
      for (const [service, values] of Object.entries(services)) {
        expect(Object.keys(all)).toContain(service);
        for (const key of Object.keys(values)) expect(Object.keys(compose.services.api ?? {})).toContain(key);
      }
    }
  },
);

describe('deploy/prepare-env.sh', () => {
  const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;
  const prepare = (answer: string) => {
    const bin = mkdtempSync(join(dir, 'bin-'));
    // A stand-in for Docker, which pulls nothing and names a digest.
    const docker = `#!/bin/sh\n[ "$1" = image ] && echo "${answer}"\nexit 0\n`;
    writeFileSync(join(bin, 'docker'), docker, { mode: 0o755 });
    const env = join(bin, '.env');
    const run = () =>
      spawnSync('sh', [join(ROOT, 'deploy/prepare-env.sh'), env], {
        env: { PATH: `${bin}:${process.env.PATH}` },
        encoding: 'utf8',
      });
    return { env, run };
  };

  test('writes every value that compose demands, for its own user only, and keeps what is there', () => {
    const { env, run } = prepare(`postgres@${digest}`);
    expect(run().status).toBe(0);
    const first = readFileSync(env, 'utf8');
    expect(statSync(env).mode & 0o077).toBe(0);
    const written = new Map(
      first
        .trim()
        .split('\n')
        .map((line) => line.split('=') as [string, string]),
    );
    const wanted = variablesOf(compose.text).flatMap(([, name = '', operator]) =>
      operator === ':?' ? [name] : [],
    );
    expect([...new Set(wanted)].filter((name) => !written.has(name))).toEqual([]);
    expect(new Set([...written].flatMap(([name, value]) => (/IMAGE/.test(name) ? [] : [value]))).size).toBe(
      6,
    );
    for (const [name, value] of written)
      expect(value).toMatch(/IMAGE/.test(name) ? /@sha256:[0-9a-f]{64}$/ : /^(1:)?[0-9a-f]{48,64}$/);
    expect(run().status).toBe(0);
    expect(readFileSync(env, 'utf8')).toBe(first);
  });

  test('prints how to turn live lookups on and who then learns what, until a line of .env decides it (O80)', () => {
    const { env, run } = prepare(`postgres@${digest}`);
    expect(run().stdout).toContain(`\n${LIVE_HINT}\n`);
    appendFileSync(env, 'LIVE_PROVIDERS=dns,rdap\n');
    expect(run().stdout).not.toContain('LIVE_PROVIDERS');
  });

  test('continues a file of the operator: no line is joined, and an empty value is written', () => {
    const { env, run } = prepare(`postgres@${digest}`);
    const own =
      "export KEY_PEPPER='1:of the operator'\nSECRET_KEY=\nAPP_PASSWORD=''\nREDIS_PASSWORD= # later\nREGISTRATION=closed";
    writeFileSync(env, own);
    expect(run().status).toBe(0);
    const values = readDotEnv(readFileSync(env, 'utf8'));
    expect(values).toMatchObject({ KEY_PEPPER: '1:of the operator', REGISTRATION: 'closed' });
    expect(Object.values(values).filter((value) => value === '')).toEqual([]);
  });

  test('names each line of .env that compose does not read, with the page to look at', () => {
    const { env, run } = prepare(`postgres@${digest}`);
    writeFileSync(
      env,
      'REGISTRATON=closed\nHTTP_PORT=80\nDATA_DIR=\nAPI_BIND=0.0.0.0:80\nLOG_LEVEL=warn\nCOMPOSE_PROFILES=admin\n',
    );
    expect(run().stderr.replaceAll(env, '.env').trim().split('\n')).toEqual([
      '.env: HTTP_PORT has no effect in compose.yaml (docs/operating/compose.md says why).',
      '.env: REGISTRATON is not a setting. Check its spelling in docs/operating/configuration.md.',
    ]);
  });

  test('an image without a digest is not written', () => {
    const { env, run } = prepare('postgres:17-bookworm');
    const { status, stderr } = run();
    expect(status).toBe(1);
    expect(stderr).toContain('names no digest');
    expect(readFileSync(env, 'utf8')).not.toContain('POSTGRES_IMAGE');
  });
});

describe('shell scripts and systemd units', () => {
  test.each(globSync('deploy/**/*.sh', { cwd: ROOT }))('%s can be read by sh', (file) => {
    expect(execFileSync('sh', ['-n', join(ROOT, file)], { encoding: 'utf8' })).toBe('');
  });

  test.each(globSync('deploy/*.service', { cwd: ROOT }))('%s is hardened', (file) => {
    const unit = readFileSync(join(ROOT, file), 'utf8');
    for (const setting of [
      'NoNewPrivileges=yes',
      'CapabilityBoundingSet=',
      'ProtectSystem=strict',
      'PrivateTmp=yes',
      'UMask=0077',
    ])
      expect(unit.split('\n')).toContain(setting);
    expect(unit).toMatch(/^MemoryMax=\d+[GM]$/m);
    expect(unit).toMatch(/^User=(?!root)/m);
    expect(unit).not.toMatch(/^Environment=.*(PASSWORD|SECRET|PEPPER|DATABASE_URL)/m);
  });
});

test('each proxy takes the largest body that a route takes, and nothing above it', () => {
  const limitOf = (file: string, pattern: RegExp): number =>
    Number(pattern.exec(readFileSync(join(ROOT, 'deploy', file), 'utf8'))?.[1]);
  const routes = readFileSync(join(ROOT, 'docs/routes.md'), 'utf8');
  const largestKib = Math.max(...[...routes.matchAll(/ (\d+) KiB \|/g)].map((match) => Number(match[1])));
  const mib = Math.ceil(largestKib / 1_024);
  expect(limitOf('nginx/assay.conf', /client_max_body_size (\d+)m;/)).toBe(mib);
  expect(limitOf('haproxy/haproxy.cfg', /req\.body_size gt (\d+)$/m)).toBe(mib * 1_048_576);
  expect(limitOf('caddy/Caddyfile', /max_size (\d+)MiB$/m)).toBe(mib);
});

import { endProcess } from '#platform/end-process.ts';

/** The entry point: `node main.ts COMMAND` with api, replicator, worker, migrate or admin. Wiring only. */
const NODE_MAJOR_MIN = 26;
if (Number(process.versions.node.split('.')[0]) < NODE_MAJOR_MIN) {
  process.stderr.write(
    `Assay needs Node ${NODE_MAJOR_MIN} or newer; this is ${process.version}. Use the npm scripts, which bring their own.\n`,
  );
  process.exit(1);
}

/** Each command loads only its own modules. `listener` and `operators` are internal: `api` starts its processes with them. */
const COMMANDS: Readonly<Record<string, () => Promise<{ run: (args: readonly string[]) => Promise<void> }>>> =
  {
    api: () => import('./run-api.ts'),
    listener: () => import('./run-listener.ts'),
    operators: () => import('./run-operators.ts'),
    replicator: () => import('./run-replicator.ts'),
    worker: () => import('./run-worker.ts'),
    migrate: () => import('./run-migrate.ts'),
    admin: () => import('./run-admin.ts'),
  };

const [name = '', ...args] = process.argv.slice(2);
const load = COMMANDS[name];
if (load === undefined) {
  process.stderr.write(
    `'${name}' is not a command. Use one of: api, replicator, worker, migrate, admin (for example: npm run api).\n`,
  );
  process.exit(2);
}
try {
  const { run } = await load();
  await run(args);
} catch (error) {
  process.stderr.write(`${sentenceOf(error)}\n`);
  endProcess(1);
}

/** A sentence that an operator can act on; the stack only where there is none. */
function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = (error as { code?: unknown }).code;
  if (code === 'ECONNREFUSED' || error instanceof AggregateError)
    return `Cannot reach an engine (${error.message || String(code)}). Is PostgreSQL running where DATABASE_URL says?`;
  const cause = error.cause instanceof Error ? `\n  because: ${error.cause.message}` : '';
  return `${error.message}${cause}`;
}

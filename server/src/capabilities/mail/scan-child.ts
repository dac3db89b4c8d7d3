import { parentPort } from 'node:worker_threads';
import { ServiceError } from '#platform/errors.ts';
import { openContent } from './gate/open-content.ts';
import { type OpenedBody, openBody } from './open-body.ts';
import type { Form, FromThread, Said, ToThread } from './scan-steps.ts';

/** A separate thread, because reading a message of 10 MiB takes longer than a check may wait, and hostile ones longer still. */
let opened: OpenedBody<Form> | null = null;
const OPEN = { mail: openBody, content: openContent } as const;
const port = parentPort;
function say(said: Said): void {
  const { user, system } = process.threadCpuUsage();
  port?.postMessage({ ...said, cpuMs: (user + system) / 1_000 } satisfies FromThread);
}

function open(form: Form, bytes: Uint8Array): void {
  try {
    opened = OPEN[form](bytes);
    say({ type: 'opened', context: opened.context });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { code, message, options } = error;
    say({ type: 'refused', code, message, details: options.details ?? null });
  }
}

async function read(): Promise<void> {
  const body = opened;
  opened = null;
  if (body === null) throw new Error('A message is read before it is opened.');
  say({ type: 'facts', facts: await body.read() });
}

port?.on('message', (message: ToThread) => {
  if (message.type === 'open') open(message.form, message.bytes);
  else if (message.type === 'read') void read();
  else opened = null;
});
say({ type: 'ready' });

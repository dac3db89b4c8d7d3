import { vi } from 'vitest';
import { runAdmin } from '#app/admin/admin.ts';
import { type Clock, systemClock } from '#platform/clock.ts';
import { loadConfig } from '#platform/config.ts';
import { createLog } from '#platform/log.ts';

/** One for all runs, because each log adds a listener for the process exit. */
const log = createLog('silent');

export type AdminRun = {
  readonly code: number;
  readonly lines: readonly string[];
  readonly text: string;
  readonly documents: readonly unknown[];
  readonly stderr: string;
};

/** Runs an administration command in this process and captures its output. */
export async function adminRun(
  env: {
    readonly DATABASE_URL: string;
    readonly DATA_DIR?: string;
    readonly REFERENCE_HOSTS_FILE?: string;
    readonly SMTP_URL?: string;
    readonly MAIL_FROM?: string;
  },
  args: readonly string[],
  clock: Clock = systemClock(),
): Promise<AdminRun> {
  const lines: string[] = [];
  const documents: unknown[] = [];
  let stderr = '';
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    stderr += String(text);
    return true;
  });
  try {
    const code = await runAdmin(args, {
      config: loadConfig({ ASSAY_ENV: 'test', ...env }),
      log,
      clock,
      out: (line) => lines.push(line),
      json: (document) => documents.push(document),
    });
    return { code, lines, text: lines.join('\n'), documents, stderr };
  } finally {
    spy.mockRestore();
  }
}

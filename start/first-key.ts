import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { onDatabase } from './engines/postgres-server.ts';
import { StartError } from './start-error.ts';

const EMAIL = 'you@example.com';
const run = promisify(execFile);

export type FirstKey = { readonly apiKey: string; readonly apiSecret: string; readonly header: string };

/** Whether an API key of this database can be used. */
export const hasKey = (owner: string): Promise<boolean> =>
  onDatabase(owner, async (client) => {
    const { rowCount } = await client.query('select 1 from api_key where revoked_at is null limit 1');
    return rowCount !== 0;
  });

/** Creates a key by the command that an operator uses. */
export async function createFirstKey(main: string, env: NodeJS.ProcessEnv): Promise<FirstKey> {
  const args = ['key', 'create', '--email', EMAIL, '--plan', 'ENTERPRISE', '--label', 'npm start', '--json'];
  try {
    const { stdout } = await run(process.execPath, [main, 'admin', ...args], { env });
    const { apiKey, apiSecret, header } = JSON.parse(stdout) as FirstKey;
    return { apiKey, apiSecret, header };
  } catch (error) {
    const said = String((error as { stderr?: unknown }).stderr ?? error).trim();
    throw new StartError(`No API key could be created: ${said}`);
  }
}

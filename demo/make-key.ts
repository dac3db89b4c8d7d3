import type { KeyPair } from './home.ts';
import { admin, type Environment } from './service.ts';

const EMAIL = 'demo@example.com';

export async function makeKey(env: Environment): Promise<KeyPair> {
  const args = ['--email', EMAIL, '--plan', 'ENTERPRISE', '--label', 'demonstration'];
  const made = await admin<KeyPair>(env, ['key', 'create', ...args]);
  return { apiKey: made.apiKey, apiSecret: made.apiSecret, header: made.header };
}

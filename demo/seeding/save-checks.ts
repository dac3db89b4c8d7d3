import { DemoError } from '../cli-options.ts';
import { SAVED_CHECKS } from '../sample/organization.ts';

const TIMEOUT_MS = 30_000;

/** Checks some values over the API and saves the answers, as a person does in the dashboard. */
export async function saveChecks(url: string, header: string): Promise<void> {
  const ask = async (path: string, body?: object): Promise<unknown> => {
    const answer = await fetch(`${url}${path}`, {
      headers: { 'x-api-key': header, 'content-type': 'application/json' },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!answer.ok) throw new DemoError(`${path} answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };
  for (const { value, note, tags } of SAVED_CHECKS) {
    const result = await ask(`/check?query=${encodeURIComponent(value)}&level=full`);
    await ask('/reports', { result, note, tags });
  }
}

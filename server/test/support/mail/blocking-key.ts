import { eventually } from '../eventually.ts';
import { admin, type Service } from '../service.ts';
import { makeMail } from './made-mail.ts';

/**
 * A key of a new organization that blocks the name: a message with a link to it is malicious for this caller (contract 4.9).
 * `headers` are added to the calls that wait for the key.
 */
export async function keyThatBlocks(
  { env, url }: Pick<Service, 'env' | 'url'>,
  organization: string,
  name: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const email = `${organization}.post@example.com`;
  const owner = ['--email', email, '--org', organization];
  const made = await admin<{ readonly header: string }>(env, ['key', 'create', ...owner, '--plan', 'PRO']);
  const call = (path: string, body: object) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { ...headers, 'x-api-key': made.header, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const indicators = [{ type: 'domain', value: name, category: 'phishing' }];
  await eventually(
    'the key is known',
    30_000,
    async () => (await call('/org/indicators', { indicators })).ok,
  );
  const message = makeMail({ html: `<a href="http://${name}/x">x</a>` });
  await eventually('the node knows the block', 30_000, async () => {
    const answer = await call('/mail/scan', { emlBase64: message.toString('base64') });
    return ((await answer.json()) as { readonly verdict?: string }).verdict === 'malicious';
  });
  return made.header;
}

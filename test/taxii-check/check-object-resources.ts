import type { Check } from './check.ts';
import type { Collection } from './collection.ts';
import { resourceOf } from './walk-collection.ts';

/** Asks for single objects by id, and for their versions. */
export async function checkObjectResources(check: Check, collection: Collection): Promise<void> {
  const { findings, wire } = check;
  const sample = [...new Set([...collection.leaders, ...collection.sequence.slice(0, 2)])].slice(0, 3);
  const missing: string[] = [];
  for (const id of sample) {
    const url = new URL(`${id}/`, resourceOf(collection.target, 'objects'));
    const answer = await wire.ask(url);
    if (answer.status === 404) missing.push(answer.request);
    else if (answer.status !== 200 || !hasOnly(answer.body, id))
      findings.violation('get-object', answer.request, `${answer.status}: ${answer.text.slice(0, 160)}`);
    else await checkVersions(check, collection, id, url);
  }
  const [request] = missing;
  if (request === undefined) return;
  if (missing.length < sample.length)
    findings.note('object-by-id', request, `${missing.length} of ${sample.length}`);
  else findings.violation('get-object', request, '404 for an object that the collection lists');
}

const hasOnly = (body: Readonly<Record<string, unknown>> | null, id: string): boolean =>
  Array.isArray(body?.objects) &&
  body.objects.length > 0 &&
  body.objects.every((object: Readonly<Record<string, unknown>>) => object.id === id);

async function checkVersions(check: Check, { objects }: Collection, id: string, url: URL): Promise<void> {
  const answer = await check.wire.ask(new URL('versions/', url));
  const versions = answer.body?.versions;
  const version = objects.get(id)?.version ?? '';
  const isRight = Array.isArray(versions) && (version === '' || versions.includes(version));
  if (answer.status !== 200 || !isRight)
    check.findings.violation('versions', answer.request, `${answer.status}: ${answer.text.slice(0, 160)}`);
}

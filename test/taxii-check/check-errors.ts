import { type Check, isTaxiiType } from './check.ts';
import type { Target } from './check-server.ts';
import type { ClauseId } from './clauses.ts';
import { withQuery } from './pages.ts';
import { resourceOf } from './walk-collection.ts';
import type { Answer, Credential } from './wire.ts';

type Mistake = {
  readonly clause: ClauseId;
  readonly status: number;
  readonly url: URL;
  readonly credential?: Credential;
};

const UNKNOWN_COLLECTION = 'c0ffee00-0000-4000-8000-000000000000';
const UNKNOWN_OBJECT = 'indicator--c0ffee00-0000-4000-8000-000000000000';

/** Sends faulty requests that clients really make; each must be answered with its status and a TAXII error message. */
export async function checkErrors(check: Check, target: Target): Promise<void> {
  for (const mistake of mistakesAt(check, target)) {
    const { clause, status, url, credential = 'given' } = mistake;
    const answer = await check.wire.ask(url, { credential });
    if (answer.status !== status)
      check.findings.violation(clause, answer.request, `answered ${answer.status}, wanted is ${status}`);
    else judgeError(check, answer);
  }
}

function mistakesAt({ options, findings }: Check, target: Target): readonly Mistake[] {
  const objects = resourceOf(target, 'objects');
  const hasCredential = options.credentials.header !== null || options.credentials.user !== null;
  if (!hasCredential)
    findings.note('no-credential', `GET ${target.url.pathname}`, 'wrong credentials are not tried');
  const credentials: readonly Mistake[] = [
    { clause: 'wrong-credentials', status: 401, url: objects, credential: 'wrong' },
    { clause: 'wrong-credentials', status: 401, url: objects, credential: 'none' },
  ];
  return [
    { clause: 'bad-next', status: 400, url: withQuery(objects, { next: 'taxii-check' }) },
    { clause: 'bad-filter', status: 400, url: withQuery(objects, { added_after: 'yesterday' }) },
    { clause: 'bad-filter', status: 400, url: withQuery(objects, { limit: '-1' }) },
    { clause: 'bad-filter', status: 400, url: withQuery(objects, { limit: 'many' }) },
    {
      clause: 'unknown-collection',
      status: 404,
      url: new URL(`collections/${UNKNOWN_COLLECTION}/`, target.root),
    },
    {
      clause: 'unknown-collection',
      status: 404,
      url: new URL(`collections/${UNKNOWN_COLLECTION}/objects/`, target.root),
    },
    { clause: 'unknown-object', status: 404, url: new URL(`${UNKNOWN_OBJECT}/`, objects) },
    ...(hasCredential ? credentials : []),
  ];
}

function judgeError({ findings }: Check, answer: Answer): void {
  const { request, status, body, headers } = answer;
  if (!isTaxiiType(headers.get('content-type') ?? ''))
    findings.violation('error-media-type', request, `Content-Type: ${headers.get('content-type')}`);
  const isTitled = typeof body?.title === 'string' && body.title !== '';
  if (!isTitled || (body.http_status !== undefined && body.http_status !== String(status)))
    findings.violation('error-body', request, `${status}: ${answer.text.slice(0, 160)}`);
  if (status === 401 && !headers.has('www-authenticate'))
    findings.violation('challenge', request, '401 without WWW-Authenticate');
}

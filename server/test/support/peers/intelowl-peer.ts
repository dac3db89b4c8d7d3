import { type ModalPeer, startModalPeer } from './peer-mode.ts';

export type IntelOwlJob = { readonly status: string; readonly analyzer_reports: unknown };
export type Submitted = { readonly authorization: string | undefined; readonly body: unknown };

export type IntelOwlPeer = ModalPeer & {
  readonly submitted: readonly Submitted[];
  /** `runningFor`: the number of polls during which a job is still running. */
  readonly state: { runningFor: number; job: IntelOwlJob };
};

/** The part of IntelOwl's API that is used: submit, poll a job, list jobs. One token is valid. */
export async function startIntelOwlPeer(
  token: string,
  where: { readonly port?: number } = {},
): Promise<IntelOwlPeer> {
  const submitted: Submitted[] = [];
  const state: IntelOwlPeer['state'] = {
    runningFor: 0,
    job: { status: 'reported_without_fails', analyzer_reports: [] },
  };
  const peer = await startModalPeer((request, response) => {
    const send = (status: number, json: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
    if (request.headers.authorization !== `Token ${token}`)
      return void send(401, { detail: 'Invalid token.' });
    if (request.method === 'POST' && request.url === '/api/analyze_observable') {
      let text = '';
      request.on('data', (chunk) => {
        text += String(chunk);
      });
      request.on('end', () => {
        submitted.push({ authorization: request.headers.authorization, body: JSON.parse(text) });
        send(200, { job_id: 41 + submitted.length, status: 'accepted', warnings: [] });
      });
      return;
    }
    if (request.url?.startsWith('/api/jobs?')) return void send(200, { count: 0, results: [] });
    if (!/^\/api\/jobs\/\d+$/.test(request.url ?? '')) return void send(404, {});
    state.runningFor -= 1;
    send(200, state.runningFor >= 0 ? { status: 'running', analyzer_reports: [] } : state.job);
  }, where);
  return Object.assign(peer, { submitted, state });
}
